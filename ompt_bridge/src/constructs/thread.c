/* thread.c: thread records, and the bridge's life: start, stop, fork. */
#include "../core/bridge.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    pthread_key_t key; /* its destructor tells that a thread ends */
    int has_key;
    pid_t pid;
    struct opari_thread *all, *free;
    int workers, roots; /* that have begun and not ended: those that the runtime made, and others */
    int (*start)(void); /* starts the tools that wait for the first event; null: none waits */
    struct opari_thread *parked; /* in a forked child: the record that its one thread had */
} opari_threads = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, NULL, NULL, 0, 0, NULL, NULL};

extern int omp_get_team_num(void) __attribute__((weak));
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_ancestor_thread_num(int level) __attribute__((weak));
extern void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags) __attribute__((weak));

/* A record as new, its free lists kept. */
static void opari_thread_reset(struct opari_thread *t)
{
    t->state = ompt_state_work_serial;
    if (t->stack == NULL) {
        t->stack = t->first;
        t->limit = t->first + OPARI_STACK - 1;
    }
    t->top = t->stack;
    memset(t->stack, 0, sizeof *t->stack);
    t->wait_id = 0;
    t->target = NULL;
    t->ahead = NULL;
    t->nest_locks = 0;
    t->nest_only = 0;
    t->regions.event = NULL;
    t->regions.forced = 0;
    memset(t->data, 0, sizeof t->data);
    unsigned lives = t->base_task.lives + 1;
    memset(&t->base_task, 0, sizeof t->base_task);
    t->base_task.lives = lives;
    memset(&t->base_parallel, 0, sizeof t->base_parallel);
    t->base_parallel.size = 1;
    t->base_parallel.works = ompt_state_work_serial;
    t->base_task.parallel = &t->base_parallel;
    t->base_task.flags = ompt_task_initial;
    opari_frame_init(&t->base_task.frame);
    t->base_task.owner = t;
    t->task = &t->base_task;
}

static void opari_thread_begin(struct opari_thread *t)
{
    t->state = ompt_state_overhead;
    opari_fire_thread_begin(t);
    if (t->type == ompt_thread_initial) {
        opari_fire_initial_task(t, ompt_scope_begin);
        t->state = ompt_state_work_serial;
    } else {
        t->state = ompt_state_idle;
    }
}

/* A thread that the runtime made is met in a team whose first thread it is not, or that is within such a team: it may speak first as the first thread of a nested
 * one, as of a region within a target construct of the host. Any other is a root of its own: the program's first thread, or one that the program made. */
static int opari_made_by_runtime(void)
{
    if (omp_get_thread_num == NULL)
        return syscall(SYS_gettid) != (long)opari_threads.pid;
    if (omp_get_level != NULL && omp_get_ancestor_thread_num != NULL)
        for (int level = omp_get_level() - 1; level > 0; level--)
            if (omp_get_ancestor_thread_num(level) > 0)
                return 1;
    return omp_get_thread_num() > 0 || (omp_get_team_num != NULL && omp_get_team_num() > 0);
}

/* All records; they are added in front and stay. */
static struct opari_thread *opari_thread_all(void) { return OPARI_ACQUIRE(&opari_threads.all); }

/* The record for a thread that has none. */
static struct opari_thread *opari_thread_get(void)
{
    pthread_mutex_lock(&opari_threads.lock);
    struct opari_thread *t = opari_threads.free;
    if (t != NULL)
        opari_threads.free = t->next_free;
    pthread_mutex_unlock(&opari_threads.lock);
    if (t != NULL)
        return t;
    t = opari_memory(sizeof *t);
    if (t == NULL)
        return NULL;
    pthread_mutex_lock(&opari_threads.lock);
    t->next = opari_threads.all;
    OPARI_RELEASE(&opari_threads.all, t);
    pthread_mutex_unlock(&opari_threads.lock);
    return t;
}

/* Tells the tools from number first on of a thread that is known already. */
static void opari_introduce(struct opari_thread *t, unsigned first)
{
    for (unsigned tool = first; tool < opari_tools.count; tool++) {
        ompt_callback_t *call = opari_tools.tool[tool].call;
        t->data[tool].value = t->base_task.data[tool].value = t->base_parallel.data[tool].value = 0;
        t->state = ompt_state_overhead;
        if (call[ompt_callback_thread_begin] != NULL)
            ((ompt_callback_thread_begin_t)call[ompt_callback_thread_begin])((ompt_thread_t)t->type, &t->data[tool]);
        if (call[ompt_callback_implicit_task] != NULL)
            ((ompt_callback_implicit_task_t)call[ompt_callback_implicit_task])(
                ompt_scope_begin, &t->base_parallel.data[tool], &t->base_task.data[tool], 1, 1, ompt_task_initial);
    }
    t->state = ompt_state_work_serial;
}

/* How many threads there are of t's type. */
static int *opari_threads_alike(const struct opari_thread *t) { return t->type == ompt_thread_worker ? &opari_threads.workers : &opari_threads.roots; }

/* The calling thread is not ready: null if it is in an event. It gets no other one before its first has been told. A light construct gets its entry. */
static OPARI_COLD struct opari_thread *opari_thread_first(void)
{
    int saved = errno;
    if (opari_self != NULL)
        return opari_settle(opari_self);
    if (opari_here == &opari_silence)
        return NULL;
    int (*start)(void) = OPARI_ACQUIRE(&opari_threads.start);
    if (start != NULL && !start()) {
        errno = saved;
        return NULL;
    }
    struct opari_thread *t = opari_threads.parked;
    if (t != NULL && syscall(SYS_gettid) == (long)opari_threads.pid) {
        opari_threads.parked = NULL;
        t->regions.event = NULL;
        opari_be(t);
        opari_introduce(t, opari_own_tools);
        opari_event_end();
        errno = saved;
        return t;
    }
    t = opari_thread_get();
    if (t == NULL) {
        errno = saved;
        return NULL;
    }
    t->regions.event = NULL;
    opari_thread_reset(t);
    t->type = opari_made_by_runtime() ? ompt_thread_worker : ompt_thread_initial;
    (void)__atomic_add_fetch(opari_threads_alike(t), 1, __ATOMIC_RELAXED);
    opari_be(t);
    if (opari_threads.has_key)
        (void)pthread_setspecific(opari_threads.key, t);
    opari_thread_begin(t);
    opari_event_end();
    errno = saved;
    return t;
}

#ifdef POMP_INTERPOSE
/* Whether the calling thread is inside an event, that is, in a tool, or works for a thread that is. */
static OPARI_COLD int opari_is_silent(void)
{
    const struct opari_thread *t = opari_here;
    return t != &opari_nobody && (uintptr_t)t->regions.event - OPARI_LIGHT_NONE >= OPARI_LIGHTS - OPARI_LIGHT_NONE;
}

/* The calling thread begins to work for a thread that is in a tool: that does not hear of it, or what it does in a callback would make it be called again.
 * Returns what to end this with. */
static OPARI_COLD struct ompregdescr *opari_silent_begin(void)
{
    struct opari_thread *t = opari_here;
    struct ompregdescr *was = t->regions.event;
    if (t == &opari_nobody)
        opari_here = &opari_silence;
    else if (!opari_is_silent())
        opari_event_enter(t, NULL);
    else
        return NULL;
    return t == &opari_nobody ? OPARI_READY : was;
}

static OPARI_COLD void opari_silent_end(struct ompregdescr *was)
{
    if (was == NULL)
        return;
    if (opari_here == &opari_silence)
        opari_here = &opari_nobody;
    else
        opari_event_end_at(was);
}
#endif

/* The thread ends, or the process does: what it has open ends now. */
static void opari_thread_leave(struct opari_thread *t)
{
    t->regions.event = NULL;
    OPARI_SIGNAL_FENCE();
    opari_close_now(t, 0);
    t->regions.event = NULL;
    t->state = ompt_state_overhead;
    if (t->type == ompt_thread_initial)
        opari_fire_initial_task(t, ompt_scope_end);
    opari_fire_thread_end(t);
    (void)__atomic_sub_fetch(opari_threads_alike(t), 1, __ATOMIC_RELEASE);
}

static void opari_thread_destroy(void *record)
{
    struct opari_thread *t = record;
    if (t != opari_self || opari_settle(t) == NULL)
        return; /* in a forked child, or the thread is cancelled within an event: its record stays as it is */
    int saved = errno;
    opari_thread_leave(t);
    opari_be(NULL);
    pthread_mutex_lock(&opari_threads.lock);
    t->next_free = opari_threads.free;
    opari_threads.free = t;
    pthread_mutex_unlock(&opari_threads.lock);
    errno = saved;
}

/* Ready for events. */
static void opari_bridge_open(void)
{
    opari_threads.pid = getpid();
    opari_threads.has_key = pthread_key_create(&opari_threads.key, opari_thread_destroy) == 0;
}

/* Starts n tools, the first thread being the caller. Returns how many did start. */
static int opari_bridge_start(ompt_start_tool_result_t *(*const *start)(unsigned, const char *), int n)
{
    opari_bridge_open();
    for (int i = 0; i < n && opari_tools.count < OPARI_TOOLS; i++) {
        ompt_start_tool_result_t *result = start[i](202011, "opari");
        if (result != NULL)
            (void)opari_attach(result, 0);
    }
    opari_own_tools = opari_tools.count;
    opari_hear();
    return (int)opari_own_tools;
}

/* start is called before the first event of any thread that is not known; it returns whether events are wanted. */
static void opari_bridge_on_first(int (*start)(void)) { OPARI_RELEASE(&opari_threads.start, start); }

static void opari_leave_pool(void *none)
{
    struct opari_thread *t = opari_self;
    (void)none;
    if (t == NULL || opari_settle(t) == NULL || t->type != ompt_thread_worker)
        return;
    opari_thread_leave(t);
    opari_be(NULL);
}

/* The runtime's pool must not be used again for what the program does not ask for: its threads end without notice then. */
static int opari_pool_spoiled;

/* Threads that wait in the runtime's pool end with the process, without notice: one more region over the pool lets each report its end
 * itself, as a tool expects. Only the pool's own root can do that, outside of any region. */
static void opari_end_pool(void)
{
    int workers = __atomic_load_n(&opari_threads.workers, __ATOMIC_RELAXED);
    if (workers <= 0 || opari_tools.count <= opari_own_tools || GOMP_parallel == NULL || omp_get_level == NULL)
        return;
    if (OPARI_LOAD(&opari_pool_spoiled) || omp_get_level() != 0 || syscall(SYS_gettid) != (long)opari_threads.pid)
        return;
    GOMP_parallel(opari_leave_pool, NULL, (unsigned)workers + 1, 0);
    /* Those of nested teams and of target regions are let go when their team ends, and are about to end, which takes long where the machine is busy. But the pools
     * of other roots stay: where there are any, what is left may be theirs. */
    const struct timespec moment = {0, 200000};
    const int others = __atomic_load_n(&opari_threads.roots, __ATOMIC_RELAXED) - (opari_self != NULL), patience = others > 0 ? 50 : 5000;
    for (int i = 0; i < patience && __atomic_load_n(&opari_threads.workers, __ATOMIC_ACQUIRE) > 0; i++)
        (void)nanosleep(&moment, NULL);
}

/* The tool gets no event any more, and hears of that once. */
static void opari_tool_finalize(unsigned tool)
{
    struct opari_tool *own = &opari_tools.tool[tool];
    ompt_start_tool_result_t *result = __atomic_exchange_n(&own->result, NULL, __ATOMIC_ACQ_REL);
    if (result == NULL)
        return;
    if (tool >= opari_own_tools)
        opari_devices_end();
    for (int i = 0; i < OPARI_EVENTS; i++)
        OPARI_RELEASE(&own->call[i], NULL);
    opari_hear();
    if (result->finalize != NULL)
        result->finalize(&result->tool_data);
}

/* Ends the calling thread and the tools. Other threads may still run: their events find no tool. */
static void opari_bridge_stop(void)
{
    unsigned tools = opari_tools.count;
    struct opari_thread *t = opari_self;
    opari_end_pool();
    t = opari_self != NULL ? opari_settle(opari_self) : NULL;
    if (t != NULL)
        opari_event_enter(t, NULL);
    opari_devices_end();
    if (t != NULL)
        opari_event_end();
    t = opari_self;
    if (opari_ready() != NULL) {
        opari_thread_leave(t);
        opari_be(NULL);
    }
    OPARI_RELEASE(&opari_tools.count, 0u);
    opari_hear();
    for (unsigned i = 0; i < tools; i++)
        opari_tool_finalize(i);
    if (opari_threads.has_key)
        (void)pthread_key_delete(opari_threads.key);
    opari_threads.has_key = 0;
}

static void opari_bridge_unload(struct ompregdescr *first, int n) { opari_fire_unload(first, n); }

static void opari_bridge_flush(void) { opari_fire_control(opari_control_flush); }

/* In a forked child the user's tool is not started yet: it starts anew with the child's first event, if there is one before an exec.
 * A child made inside a region has no such tool: it would see ends without beginnings. */
static void opari_forget_tools(struct opari_thread *self)
{
    if (opari_tools.count <= opari_own_tools)
        return;
    for (unsigned i = opari_own_tools; i < opari_tools.count; i++)
        memset(&opari_tools.tool[i], 0, sizeof opari_tools.tool[i]);
    OPARI_RELEASE(&opari_tools.count, opari_own_tools);
    opari_hear();
    if (self != NULL && self->top == self->stack && opari_is_ready(self)) {
        opari_threads.parked = self;
        self->regions.event = NULL;
        opari_be(NULL);
    }
}

/* fork(): the locks are held over it, so that the child finds whole lists; in the child the calling thread is the only one. */
static void opari_bridge_fork(opari_control_t what)
{
    if (what == opari_control_prepare) {
        opari_fire_control(what);
        pthread_mutex_lock(&opari_threads.lock);
        pthread_mutex_lock(&opari_devices.mapping);
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
        opari_threads.workers = 0;
        opari_threads.roots = self != NULL;
        opari_devices_child();
        if (self != NULL)
            self->type = ompt_thread_initial;
        opari_forget_tools(self);
    }
    pthread_mutex_unlock(&opari_arena.lock);
    pthread_mutex_unlock(&opari_devices.mapping);
    pthread_mutex_unlock(&opari_threads.lock);
    opari_fire_control(what);
}
