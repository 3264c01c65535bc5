/* thread.c: the first event of a thread, and its end. */
#include "../core/entries.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int omp_get_team_num(void) __attribute__((weak));
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_ancestor_thread_num(int level) __attribute__((weak));

static void opari_thread_begin(struct opari_thread *t)
{
    t->state = ompt_state_overhead;
    opari_raise_thread_begin(t);
    if (t->type == ompt_thread_initial) {
        opari_raise_initial_task(t, ompt_scope_begin);
        t->state = ompt_state_work_serial;
    } else {
        t->state = ompt_state_idle;
    }
}

/* A thread that the runtime made is in a team but not its first thread, or it is within such a
 * team. Its first event may come from the first thread of a nested team, as in a region within a
 * target construct on the host. Any other thread is a root of its own: the program's first thread,
 * or one that the program made. */
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

/* Announces a thread that is already known to the tools from number first on. */
static void opari_announce_thread(struct opari_thread *t, unsigned first)
{
    for (unsigned tool = first; tool < opari_tools.count; tool++) {
        ompt_callback_t *call = opari_tools.tool[tool].call;
        t->data[tool].value = t->base_task.data[tool].value = t->base_parallel.data[tool].value = 0;
        t->state = ompt_state_overhead;
        if (call[ompt_callback_thread_begin] != NULL)
            ((ompt_callback_thread_begin_t)call[ompt_callback_thread_begin])((ompt_thread_t)t->type,
                                                                             &t->data[tool]);
        if (call[ompt_callback_implicit_task] != NULL)
            ((ompt_callback_implicit_task_t)call[ompt_callback_implicit_task])(
                ompt_scope_begin, &t->base_parallel.data[tool], &t->base_task.data[tool], 1, 1,
                ompt_task_initial);
    }
    t->state = ompt_state_work_serial;
}

/* Returns the counter of the threads of t's type. */
static int *opari_threads_alike(const struct opari_thread *t)
{
    return t->type == ompt_thread_worker ? &opari_threads.workers : &opari_threads.roots;
}

/* The calling thread is not ready. If it is in a lazy construct, that gets its entry. If it has no
 * record, it gets one and its first event is raised; until then it gets no other event. Returns
 * null if the thread is inside an event, or cannot get a record. */
static OPARI_COLD struct opari_thread *opari_thread_first(void)
{
    int saved = errno;
    if (opari_self != NULL)
        return opari_lazy_put(opari_self);
    if (opari_here == &opari_suppressed)
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
        opari_set_self(t);
        opari_announce_thread(t, opari_own_tools);
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
    opari_set_self(t);
    if (opari_threads.has_key)
        (void)pthread_setspecific(opari_threads.key, t);
    opari_thread_begin(t);
    opari_event_end();
    errno = saved;
    return t;
}

#ifdef POMP_INTERPOSE
/* Whether the calling thread is inside an event, that is, in a tool, or works for a thread that
 * is. */
static OPARI_COLD int opari_is_suppressed(void)
{
    const struct opari_thread *t = opari_here;
    return t != &opari_no_thread &&
           (uintptr_t)t->regions.event - OPARI_LAZY_NONE >= OPARI_LAZYS - OPARI_LAZY_NONE;
}

/* The calling thread begins to work for a thread that is in a tool. The tool gets no event of this
 * work: otherwise what it does in a callback would call it again. Returns the argument for
 * opari_suppress_end. */
static OPARI_COLD struct ompregdescr *opari_suppress_begin(void)
{
    struct opari_thread *t = opari_here;
    struct ompregdescr *was = t->regions.event;
    if (t == &opari_no_thread)
        opari_here = &opari_suppressed;
    else if (!opari_is_suppressed())
        opari_event_enter(t, NULL);
    else
        return NULL;
    return t == &opari_no_thread ? OPARI_READY : was;
}

static OPARI_COLD void opari_suppress_end(struct ompregdescr *was)
{
    if (was == NULL)
        return;
    if (opari_here == &opari_suppressed)
        opari_here = &opari_no_thread;
    else
        opari_event_end_at(was);
}
#endif

/* The thread or the process ends: everything that the thread has open ends now. */
static void opari_thread_leave(struct opari_thread *t)
{
    t->regions.event = NULL;
    OPARI_SIGNAL_FENCE();
    opari_close_now(t, 0);
    t->regions.event = NULL;
    t->state = ompt_state_overhead;
    if (t->type == ompt_thread_initial)
        opari_raise_initial_task(t, ompt_scope_end);
    opari_raise_thread_end(t);
    (void)__atomic_sub_fetch(opari_threads_alike(t), 1, __ATOMIC_RELEASE);
}

static void opari_thread_destroy(void *record)
{
    struct opari_thread *t = record;
    if (t != opari_self || opari_lazy_put(t) == NULL)
        return; /* in a forked child, or in a thread that is cancelled within an event, the record
                   stays as it is */
    int saved = errno;
    opari_thread_leave(t);
    opari_set_self(NULL);
    opari_lock(&opari_threads.lock);
    t->next_free = opari_threads.free;
    opari_threads.free = t;
    opari_unlock(&opari_threads.lock);
    errno = saved;
}

/* Returns the calling thread, which has entered the event; null when it is inside one already. */
OPARI_INLINE struct opari_thread *opari_event_begin(struct ompregdescr *d)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL) && (t = opari_thread_first()) == NULL)
        return NULL;
    opari_event_enter(t, d);
    return t;
}
