/* barriers.c: barriers, other waits inside the runtime, and reductions; see interposed.c. */
#include "../state/state.h"

extern void __tsan_release(void *address) __attribute__((weak));
extern void __tsan_acquire(void *address) __attribute__((weak));

/* A construct whose barrier could not be made explicit waits inside and is then the innermost
 * entry. So does a region where the compiler has put a barrier, for copyin or for a variable that
 * is firstprivate and lastprivate. A call that belongs to an explicit barrier has nothing to raise.
 */
OPARI_INLINE int pomp_may_wait_within(void)
{
    const struct opari_thread *t = opari_ready();
    return t != NULL && t->top->what >= OPARI_AT_IMPLICIT && t->top->what <= OPARI_AT_SINGLE;
}

/* Waits in a compiler's barrier, which has no event: a tool for data races has to learn of it. */
static OPARI_COLD void pomp_watched_wait(void (*next)(void))
{
    const struct opari_thread *t = opari_ready();
    void *team = t == NULL || __tsan_acquire == NULL || __tsan_release == NULL ||
                         !pomp_has_tool() || t->task->parallel == NULL
                     ? NULL
                     : &t->task->parallel->shared;
    if (team != NULL)
        __tsan_release(team);
    next();
    if (team != NULL)
        __tsan_acquire(team);
}

static struct opari_thread *pomp_wait_begin(int kind, const void *ra, void *frame)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return NULL;
    const struct opari_entry *e = t->top;
    int implied = (e->what == OPARI_AT_WORK || e->what == OPARI_AT_SINGLE) && e->region != NULL &&
                  (e->region->facts & POMP_HAS_BARRIER) != 0;
    if (implied)
        opari_implied_begin(t, kind,
                            kind == ompt_sync_region_barrier_implementation
                                ? (int)ompt_state_wait_barrier_implementation
                                : (int)ompt_state_wait_barrier_implicit_workshare,
                            ra, frame);
    opari_event_end();
    return implied ? t : NULL;
}

static void pomp_wait_end(struct opari_thread *t)
{
    t = pomp_again(t, t->top->region);
    if (t == NULL)
        return;
    opari_implied_end(t);
    opari_event_end();
}

/* The slow path is jumped to, so that its caller and frame are the program's. */
#define POMP_WAITS(name) \
    POMP_NEXT_OF(name, (void), ()) \
    static OPARI_NOINLINE void pomp_observed_##name(void) \
    { \
        struct opari_thread *t = \
            pomp_wait_begin(ompt_sync_region_barrier_implicit_workshare, POMP_CALLER, POMP_FRAME); \
        if (t == NULL) { \
            pomp_watched_wait(OPARI_LOAD(&pomp_next_##name)); \
            return; \
        } \
        OPARI_LOAD (&pomp_next_##name)(); \
        pomp_wait_end(t); \
    } \
    POMP_GOMP void name(void); \
    POMP_GOMP void name(void) \
    { \
        if (OPARI_LIKELY(!pomp_may_wait_within())) \
            OPARI_LOAD (&pomp_next_##name)(); \
        else \
            pomp_observed_##name(); \
    }
POMP_WAITS(GOMP_barrier)
POMP_WAITS(GOMP_loop_end)
POMP_WAITS(GOMP_sections_end)

/* Handles the cancellation of the parallel region while the thread waited inside: the thread is now
 * at the region's end. */
static OPARI_COLD void pomp_left_parallel(void)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    struct opari_entry *e = t->top;
    while (e->what > OPARI_AT_CREATE)
        e--;
    if (e->what == OPARI_AT_IMPLICIT)
        opari_parallel_end(t, e->region, e->of.task->parallel);
    opari_event_end();
}

#define POMP_WAITS_CANCEL(name) \
    typedef _Bool (*pomp_##name##_t)(void); \
    POMP_GOMP _Bool name(void); \
    POMP_GOMP _Bool name(void) \
    { \
        POMP_NEXT(name); \
        struct opari_thread *t = \
            pomp_wait_begin(ompt_sync_region_barrier_implicit_workshare, POMP_CALLER, POMP_FRAME); \
        _Bool cancelled = next(); \
        if (OPARI_UNLIKELY(t != NULL)) \
            pomp_wait_end(t); \
        if (OPARI_UNLIKELY(cancelled)) \
            pomp_left_parallel(); \
        return cancelled; \
    }
POMP_WAITS_CANCEL(GOMP_barrier_cancel)
POMP_WAITS_CANCEL(GOMP_loop_end_cancel)
POMP_WAITS_CANCEL(GOMP_sections_end_cancel)

/* This routine has a barrier at its end, unless the loop is cancelled. For a loop whose tasks
 * reduce, it is the second barrier. */
typedef void (*pomp_GOMP_workshare_task_reduction_unregister_t)(_Bool);
POMP_GOMP void GOMP_workshare_task_reduction_unregister(_Bool cancelled);
POMP_GOMP void GOMP_workshare_task_reduction_unregister(_Bool cancelled)
{
    POMP_NEXT(GOMP_workshare_task_reduction_unregister);
    pomp_rule_out_pool();
    struct opari_thread *t = cancelled ? NULL
                                       : pomp_wait_begin(ompt_sync_region_barrier_implementation,
                                                         POMP_CALLER, POMP_FRAME);
    next(cancelled);
    if (OPARI_UNLIKELY(t != NULL))
        pomp_wait_end(t);
}

/* A taskgroup or taskloop whose tasks reduce registers that at its begin. The runtime's routine for
 * its end completes the reduction, and its wait is over then. */
static OPARI_COLD void pomp_group_reduces(ompt_scope_endpoint_t at)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    struct opari_entry *e = t->top;
    const int group = e->what == OPARI_AT_TASKGROUP ||
                      (e->what == OPARI_AT_WORK && (e->flags & OPARI_ENTRY_GROUP) != 0);
    if (group && at == ompt_scope_begin)
        e->flags |= OPARI_ENTRY_REDUCES;
    else if (group && (e->flags & OPARI_ENTRY_REDUCES) != 0)
        opari_group_reduced(t, e);
    opari_event_end();
}

typedef void (*pomp_GOMP_taskgroup_reduction_register_t)(uintptr_t *);
POMP_GOMP void GOMP_taskgroup_reduction_register(uintptr_t *data);
POMP_GOMP void GOMP_taskgroup_reduction_register(uintptr_t *data)
{
    POMP_NEXT(GOMP_taskgroup_reduction_register);
    pomp_rule_out_pool();
    next(data);
    if (OPARI_UNLIKELY(pomp_has_tool()))
        pomp_group_reduces(ompt_scope_begin);
}

/* For single copyprivate, the executing thread gets null, and the others wait inside until the data
 * is there. Only after the call is it known that a thread is one of them. */
typedef void *(*pomp_GOMP_single_copy_start_t)(void);
POMP_GOMP void *GOMP_single_copy_start(void);
POMP_GOMP void *GOMP_single_copy_start(void)
{
    POMP_NEXT(GOMP_single_copy_start);
    void *data = next();
    if (data == NULL)
        return data;
    struct opari_thread *t =
        pomp_wait_begin(ompt_sync_region_barrier_implementation, POMP_CALLER, POMP_FRAME);
    if (t != NULL)
        pomp_wait_end(t);
    return data;
}

typedef void (*pomp_GOMP_single_copy_end_t)(void *);
POMP_GOMP void GOMP_single_copy_end(void *data);
POMP_GOMP void GOMP_single_copy_end(void *data)
{
    POMP_NEXT(GOMP_single_copy_end);
    struct opari_thread *t =
        pomp_wait_begin(ompt_sync_region_barrier_implementation, POMP_CALLER, POMP_FRAME);
    next(data);
    if (OPARI_UNLIKELY(t != NULL))
        pomp_wait_end(t);
}

/* Where GCC cannot combine the values of a reduction by an atomic instruction, it does so between
 * these two routines, after the loop and before its barrier. In an atomic directive no reduction is
 * raised, since that directive is then the innermost entry. At the end of parallel, the implicit
 * task has already ended. */
static OPARI_COLD void pomp_reduces(ompt_scope_endpoint_t at, const void *ra)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    struct opari_entry *e = t->top;
    const int mark = at == ompt_scope_begin ? 0 : OPARI_ENTRY_REDUCES;
    if (e->what == OPARI_AT_WORK && e->region != NULL &&
        (e->region->facts & POMP_HAS_REDUCTION) != 0 && (e->flags & OPARI_ENTRY_REDUCES) == mark) {
        e->flags ^= OPARI_ENTRY_REDUCES;
        t->state = at == ompt_scope_begin ? (int)ompt_state_work_reduction : e->state;
        opari_raise_reduction(t, at, ra);
    }
    opari_event_end();
}

/* Together the two routines are a lock without events. This declares the lock to ThreadSanitizer,
 * which would otherwise report accesses that the lock orders as races. */
static char pomp_atomic_lock;

typedef void (*pomp_GOMP_atomic_start_t)(void);
POMP_GOMP void GOMP_atomic_start(void);
POMP_GOMP void GOMP_atomic_start(void)
{
    POMP_NEXT(GOMP_atomic_start);
    const int observed = pomp_has_tool();
    if (observed)
        pomp_reduces(ompt_scope_begin, POMP_CALLER);
    next();
    if (observed && __tsan_acquire != NULL)
        __tsan_acquire(&pomp_atomic_lock);
}

typedef void (*pomp_GOMP_atomic_end_t)(void);
POMP_GOMP void GOMP_atomic_end(void);
POMP_GOMP void GOMP_atomic_end(void)
{
    POMP_NEXT(GOMP_atomic_end);
    const int observed = pomp_has_tool();
    if (observed && __tsan_release != NULL)
        __tsan_release(&pomp_atomic_lock);
    next();
    if (observed)
        pomp_reduces(ompt_scope_end, POMP_CALLER);
}
