/* thread.c: thread records, and the bridge's life: start, stop, fork. */
#include "bridge.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    pthread_key_t key; /* its destructor tells that a thread ends */
    int has_key;
    pid_t pid;
    struct opari_thread *all, *free;
} opari_threads = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, NULL, NULL};

/* A record as new, its free lists kept. */
static void opari_thread_reset(struct opari_thread *t)
{
    t->busy = 0;
    t->state = ompt_state_work_serial;
    if (t->stack == NULL) {
        t->stack = t->first;
        t->limit = t->first + OPARI_STACK - 1;
    }
    t->top = t->stack;
    memset(t->stack, 0, sizeof *t->stack);
    t->wait_id = 0;
    t->nest_locks = 0;
    t->regions.event = NULL;
    t->regions.forced = 0;
    memset(t->data, 0, sizeof t->data);
    memset(&t->base_task, 0, sizeof t->base_task);
    memset(&t->base_parallel, 0, sizeof t->base_parallel);
    t->base_parallel.size = 1;
    t->base_task.parallel = &t->base_parallel;
    t->base_task.flags = ompt_task_initial;
    t->base_task.owner = t;
    t->task = &t->base_task;
}

static void opari_thread_begin(struct opari_thread *t)
{
    t->busy = 1;
    t->state = ompt_state_overhead;
    opari_fire_thread_begin(t);
    if (t->type == ompt_thread_initial) {
        opari_fire_initial_task(t, ompt_scope_begin);
        t->state = ompt_state_work_serial;
    } else {
        t->state = ompt_state_idle;
    }
    t->busy = 0;
}

static OPARI_COLD struct opari_thread *opari_thread_first(void)
{
    int saved = errno;
    pthread_mutex_lock(&opari_threads.lock);
    struct opari_thread *t = opari_threads.free;
    if (t != NULL)
        opari_threads.free = t->next_free;
    pthread_mutex_unlock(&opari_threads.lock);
    if (t == NULL) {
        t = opari_memory(sizeof *t);
        if (t == NULL) {
            errno = saved;
            return NULL;
        }
        pthread_mutex_lock(&opari_threads.lock);
        t->next = opari_threads.all;
        opari_threads.all = t;
        pthread_mutex_unlock(&opari_threads.lock);
    }
    opari_thread_reset(t);
    t->type = syscall(SYS_gettid) == (long)opari_threads.pid ? ompt_thread_initial : ompt_thread_worker;
    opari_self = t;
    if (opari_threads.has_key)
        (void)pthread_setspecific(opari_threads.key, t);
    opari_thread_begin(t);
    errno = saved;
    return t;
}

/* The thread ends, or the process does: what it has open ends now. */
static void opari_thread_leave(struct opari_thread *t)
{
    t->busy = 1;
    opari_close_now(t, 0);
    t->regions.event = NULL;
    t->state = ompt_state_overhead;
    if (t->type == ompt_thread_initial)
        opari_fire_initial_task(t, ompt_scope_end);
    opari_fire_thread_end(t);
}

static void opari_thread_destroy(void *record)
{
    struct opari_thread *t = record;
    if (t != opari_self || t->busy)
        return; /* in a forked child, or the thread is cancelled within an event: its record stays as it is */
    int saved = errno;
    opari_thread_leave(t);
    opari_self = NULL;
    pthread_mutex_lock(&opari_threads.lock);
    t->next_free = opari_threads.free;
    opari_threads.free = t;
    pthread_mutex_unlock(&opari_threads.lock);
    errno = saved;
}

static ompt_interface_fn_t (*const opari_lookups[OPARI_TOOLS])(const char *);

/* Starts n tools, the first thread being the caller. Returns how many did start. */
static int opari_bridge_start(ompt_start_tool_result_t *(*const *start)(unsigned, const char *), int n)
{
    opari_threads.pid = getpid();
    opari_threads.has_key = pthread_key_create(&opari_threads.key, opari_thread_destroy) == 0;
    for (int i = 0; i < n && opari_tools.count < OPARI_TOOLS; i++) {
        unsigned tool = opari_tools.count;
        ompt_start_tool_result_t *result = start[i](202011, "opari");
        if (result == NULL)
            continue;
        opari_tools.tool[tool].result = result;
        if (result->initialize(opari_lookups[tool], 0, &result->tool_data))
            OPARI_RELEASE(&opari_tools.count, tool + 1);
    }
    return (int)opari_tools.count;
}

/* Ends the calling thread and the tools. Other threads may still run: their events find no tool. */
static void opari_bridge_stop(void)
{
    unsigned tools = opari_tools.count;
    struct opari_thread *t = opari_self;
    if (t != NULL && !t->busy) {
        opari_thread_leave(t);
        opari_self = NULL;
    }
    OPARI_RELEASE(&opari_tools.count, 0u);
    for (unsigned i = 0; i < tools; i++)
        if (opari_tools.tool[i].result->finalize != NULL)
            opari_tools.tool[i].result->finalize(&opari_tools.tool[i].result->tool_data);
    if (opari_threads.has_key)
        (void)pthread_key_delete(opari_threads.key);
    opari_threads.has_key = 0;
}

static void opari_bridge_unload(struct ompregdescr *first, int n) { opari_fire_unload(first, n); }

static void opari_bridge_flush(void) { opari_fire_control(opari_control_flush); }

/* fork(): the locks are held over it, so that the child finds whole lists; in the child the calling thread is the only one. */
static void opari_bridge_fork(opari_control_t what)
{
    if (what == opari_control_prepare) {
        opari_fire_control(what);
        pthread_mutex_lock(&opari_threads.lock);
        pthread_mutex_lock(&opari_arena.lock);
        return;
    }
    if (what == opari_control_child) {
        struct opari_thread *self = opari_self;
        opari_threads.pid = getpid();
        opari_threads.free = NULL;
        for (struct opari_thread *t = opari_threads.all; t != NULL; t = t->next) {
            if (t == self)
                continue;
            t->next_free = opari_threads.free;
            opari_threads.free = t;
        }
        if (self != NULL)
            self->type = ompt_thread_initial;
    }
    pthread_mutex_unlock(&opari_arena.lock);
    pthread_mutex_unlock(&opari_threads.lock);
    opari_fire_control(what);
}
