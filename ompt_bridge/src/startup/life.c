/* life.c: the bridge's start, stop and fork. */
#include "../core/entries.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
    __attribute__((weak));

/* Prepares the bridge for events. */
static void opari_bridge_open(void)
{
    opari_threads.pid = getpid();
    opari_threads.has_key = pthread_key_create(&opari_threads.key, opari_thread_destroy) == 0;
}

/* Starts n tools. The first thread calls it. Returns how many have started. */
static int opari_bridge_start(ompt_start_tool_result_t *(*const *start)(unsigned, const char *),
                              int n)
{
    opari_bridge_open();
    for (int i = 0; i < n; i++)
        (void)opari_attach(start[i](202011, "opari"), 0);
    opari_own_tools = opari_tools.count;
    opari_update_callbacks();
    return (int)opari_own_tools;
}

/* Sets the function that runs before the first event of each unknown thread. It returns whether
 * anybody wants events. */
static void opari_bridge_on_first(int (*start)(void))
{
    OPARI_RELEASE(&opari_threads.start, start);
}

static void opari_leave_pool(void *none)
{
    struct opari_thread *t = opari_self;
    (void)none;
    if (t == NULL || opari_lazy_put(t) == NULL || t->type != ompt_thread_worker)
        return;
    opari_thread_leave(t);
    opari_set_self(NULL);
}

/* Set once the runtime's pool must not serve a region that the program did not ask for, because
 * that region might hang. The pool's threads then end without an event. */
static int opari_pool_ruled_out;

/* Threads in the runtime's pool end with the process and raise no event. One more region over the
 * pool lets each of them report its end itself, as tools expect. Only the pool's own root can do
 * that, and only outside every region. */
static void opari_end_pool(void)
{
    int workers = __atomic_load_n(&opari_threads.workers, __ATOMIC_RELAXED);
    if (workers <= 0 || opari_tools.count <= opari_own_tools || GOMP_parallel == NULL ||
        omp_get_level == NULL)
        return;
    if (OPARI_LOAD(&opari_pool_ruled_out) || omp_get_level() != 0 ||
        syscall(SYS_gettid) != (long)opari_threads.pid)
        return;
    GOMP_parallel(opari_leave_pool, NULL, (unsigned)workers + 1, 0);
    /* The runtime releases the threads of nested teams and of target regions when their team ends.
     * They end soon, which takes long on a busy machine. But the pools of other roots stay: where
     * there are any, the remaining workers may be theirs. */
    const struct timespec moment = {0, 200000};
    const int others =
                  __atomic_load_n(&opari_threads.roots, __ATOMIC_RELAXED) - (opari_self != NULL),
              patience = others > 0 ? 50 : 5000;
    for (int i = 0; i < patience && __atomic_load_n(&opari_threads.workers, __ATOMIC_ACQUIRE) > 0;
         i++)
        (void)nanosleep(&moment, NULL);
}

/* Ends the calling thread and the tools. Other threads may still run; their events find no tool. */
static void opari_bridge_stop(void)
{
    unsigned tools = opari_tools.count;
    struct opari_thread *t = opari_self;
    opari_end_pool();
    t = opari_self != NULL ? opari_lazy_put(opari_self) : NULL;
    if (t != NULL)
        opari_event_enter(t, NULL);
    opari_devices_end();
    if (t != NULL)
        opari_event_end();
    t = opari_self;
    if (opari_ready() != NULL) {
        opari_thread_leave(t);
        opari_set_self(NULL);
    }
    OPARI_RELEASE(&opari_tools.count, 0u);
    opari_update_callbacks();
    for (unsigned i = 0; i < tools; i++)
        opari_tool_finalize(i);
    if (opari_threads.has_key)
        (void)pthread_key_delete(opari_threads.key);
    opari_threads.has_key = 0;
}

static void opari_bridge_unload(struct ompregdescr *first, int n) { opari_raise_unload(first, n); }

static void opari_bridge_flush(void) { opari_raise_control(opari_control_flush); }

/* A forked child does not start the user's tool at once: the tool starts with the child's first
 * event, if that comes before an exec. A child that is forked inside a region gets no such tool,
 * because it would see ends without beginnings. */
static void opari_forget_tools(struct opari_thread *self)
{
    if (opari_tools.count <= opari_own_tools)
        return;
    for (unsigned i = opari_own_tools; i < opari_tools.count; i++)
        memset(&opari_tools.tool[i], 0, sizeof opari_tools.tool[i]);
    OPARI_RELEASE(&opari_tools.count, opari_own_tools);
    opari_update_callbacks();
    if (self != NULL && self->top == self->stack && opari_is_ready(self)) {
        opari_threads.parked = self;
        self->regions.event = NULL;
        opari_set_self(NULL);
    }
}

/* fork(): the parent holds the locks across it, so that the child finds complete lists. In the
 * child the calling thread is the only one. */
static void opari_bridge_fork(opari_control_t what)
{
    if (what == opari_control_prepare) {
        opari_raise_control(what);
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
    opari_raise_control(what);
}
