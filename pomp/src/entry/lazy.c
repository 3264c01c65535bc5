/* lazy.c: the entry points of lazy constructs, see ompt_bridge/src/constructs/lazy.c, and of the
 * barriers of worksharing constructs.
 */
#include "../state/state.h"

/* Finds the entry of a construct that is not the thread's current lazy construct. It has an entry
 * on the stack, or something inside it was not closed. Returns the calling thread, in an event,
 * with that entry innermost; null where there is none. */
static OPARI_NOINLINE struct opari_thread *pomp_stacked(struct ompregdescr *d, int what)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL || opari_is_at(t, d, what) || pomp_find_below(t, d, what))
        return t;
    opari_event_end();
    return NULL;
}

static OPARI_NOINLINE void pomp_stacked_sync_exit(struct ompregdescr *d, int what)
{
    struct opari_thread *t = pomp_stacked(d, what);
    if (t != NULL)
        pomp_event_end(
            d, opari_sync_exit(t, what == OPARI_AT_TASKWAIT ? (int)ompt_sync_region_taskwait : 0));
}

OPARI_FOR_SIZE
static OPARI_NOINLINE void pomp_stacked_Master_end(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = pomp_stacked(d, OPARI_AT_MASKED);
    if (t != NULL)
        pomp_event_end(d, opari_masked_end(t, ra));
}

static OPARI_NOINLINE void pomp_stacked_mutex_begin(struct ompregdescr *d)
{
    struct opari_thread *t = pomp_stacked(d, OPARI_AT_MUTEX);
    if (t != NULL)
        pomp_event_end(d, opari_mutex_begin(t, t->top->detail));
}

static OPARI_NOINLINE void pomp_stacked_mutex_exit(struct ompregdescr *d, const void *ra)
{
    const int waits = pomp_is_stand_alone(d);
    struct opari_thread *t = pomp_stacked(d, waits ? OPARI_AT_REGION : OPARI_AT_MUTEX);
    if (t != NULL)
        pomp_event_end(d, waits ? pomp_wait_exit(t, ra) : opari_mutex_exit(t, t->top->detail, ra));
}

/* The library may not know a thread that has executed no block. */
static OPARI_NOINLINE void pomp_stacked_body_end(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = opari_self != NULL ? pomp_stacked(d, OPARI_AT_SINGLE_BODY) : NULL;
    if (t == NULL)
        return;
    opari_raise_work(t, ompt_work_single_executor, ompt_scope_end, 1, ra);
    opari_drop_top();
    opari_event_end();
}

/* Enters an ordered construct without a block; see pomp_is_stand_alone. */
static OPARI_NOINLINE void pomp_ordered_waits(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        pomp_event_end(d,
                       opari_has_room(t) ? pomp_wait_enter(t, d, ompt_state_wait_ordered, ra) : 0);
}
OPARI_FOR_SPEED

OPARI_INLINE void pomp_lazy_end(struct opari_thread *t, struct ompregdescr *d, unsigned lazy,
                                unsigned operation)
{
    if (operation != 0)
        opari_finish_traced(d, operation, OPARI_LAZY(lazy));
    else
        opari_lazy_leave(t, lazy);
}

/* The body of an entry point that begins a construct on thread t; raises is the expression that
 * raises its events. */
#define POMP_LAZY_BEGIN(name, lazy, raises) \
    do { \
        struct opari_thread *t = opari_ready(); \
        if (OPARI_UNLIKELY(t == NULL)) \
            pomp_unready(d, POMP_##name); \
        else \
            pomp_lazy_end(t, d, lazy, raises); \
    } while (0)

/* The body of an entry point that continues the thread's current lazy construct. before is the
 * state that it expects, lazy the state that follows. */
#define POMP_LAZY_ON(before, lazy, raises, stacked) \
    do { \
        struct opari_thread *t = opari_here; \
        if (OPARI_LIKELY(t->regions.event == OPARI_LAZY(before))) { \
            opari_event_enter(t, d); \
            if (opari_lazy_is(t, d)) { \
                pomp_lazy_end(t, d, lazy, raises); \
                return; \
            } \
            opari_lazy_other(t, before); \
        } \
        stacked; \
    } while (0)

/* The parts of Fortran's merged calls, which pass the address of the program's call. They are rare,
 * except for exits of barriers. */
#define pomp_merged_part_Master_begin pomp_on_Master_begin
#define pomp_merged_part_Master_end pomp_stacked_Master_end
#define pomp_merged_part_Critical_begin(d, ra) pomp_stacked_mutex_begin(d)
#define pomp_merged_part_Critical_exit pomp_stacked_mutex_exit
#define pomp_merged_part_Ordered_begin(d, ra) pomp_stacked_mutex_begin(d)
#define pomp_merged_part_Ordered_exit pomp_stacked_mutex_exit
#define pomp_merged_part_Barrier_exit(d, ra) pomp_on_Barrier_exit(d)
#define pomp_merged_part_Taskwait_exit(d, ra) pomp_on_Taskwait_exit(d)

OPARI_INLINE void pomp_on_Master_end(struct ompregdescr *d, const void *ra)
{
    POMP_LAZY_ON(OPARI_LAZY_MASKED, OPARI_LAZY_NONE,
                 opari_direct_masked(TRC_AT(TRC_WORK, ompt_scope_end), t, ompt_scope_end, ra),
                 pomp_stacked_Master_end(d, ra));
}

OPARI_INLINE void pomp_on_Critical_begin(struct ompregdescr *d)
{
    POMP_LAZY_ON(OPARI_LAZY_CRITICAL_ASKED, OPARI_LAZY_CRITICAL,
                 opari_lazy_mutex_begin(t, ompt_mutex_critical), pomp_stacked_mutex_begin(d));
}

OPARI_INLINE void pomp_on_Critical_exit(struct ompregdescr *d, const void *ra)
{
    POMP_LAZY_ON(OPARI_LAZY_CRITICAL, OPARI_LAZY_NONE,
                 opari_lazy_mutex_exit(t, ompt_mutex_critical, ra), pomp_stacked_mutex_exit(d, ra));
}

OPARI_INLINE void pomp_on_Ordered_begin(struct ompregdescr *d)
{
    POMP_LAZY_ON(OPARI_LAZY_ORDERED_ASKED, OPARI_LAZY_ORDERED,
                 opari_lazy_mutex_begin(t, ompt_mutex_ordered), pomp_stacked_mutex_begin(d));
}

OPARI_INLINE void pomp_on_Ordered_exit(struct ompregdescr *d, const void *ra)
{
    POMP_LAZY_ON(OPARI_LAZY_ORDERED, OPARI_LAZY_NONE,
                 opari_lazy_mutex_exit(t, ompt_mutex_ordered, ra), pomp_stacked_mutex_exit(d, ra));
}

/* A taskwait with depend is a task for a tool of 5.x. Returns 0 where no such tool listens. */
OPARI_FOR_SIZE
static OPARI_COLD int pomp_waits_as_task(struct ompregdescr *d, ompt_scope_endpoint_t at,
                                         const void *ra, void *frame)
{
    if (OPARI_ACQUIRE(&opari_tools.count) == opari_own_tools || opari_older.generation != 0)
        return 0;
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return 1;
    if (at == ompt_scope_end)
        opari_taskwait_leave(t, d);
    else if (opari_has_task_room(t))
        opari_taskwait_begin(t, d, ra, frame);
    opari_event_end();
    return 1;
}
OPARI_FOR_SPEED

#define POMP_WAITS_AS_TASK(d, at, ra, frame) \
    (OPARI_UNLIKELY(((d)->facts & POMP_HAS_DEPEND) != 0) && pomp_waits_as_task(d, at, ra, frame))

OPARI_INLINE void pomp_on_Taskwait_exit(struct ompregdescr *d)
{
    if (POMP_WAITS_AS_TASK(d, ompt_scope_end, NULL, NULL))
        return;
    POMP_LAZY_ON(OPARI_LAZY_TASKWAIT, OPARI_LAZY_NONE, opari_lazy_sync_exit(t, 1),
                 pomp_stacked_sync_exit(d, OPARI_AT_TASKWAIT));
}

OPARI_INLINE void pomp_on_Barrier_exit(struct ompregdescr *d)
{
    POMP_LAZY_ON(OPARI_LAZY_BARRIER, OPARI_LAZY_NONE, opari_lazy_sync_exit(t, 0),
                 pomp_stacked_sync_exit(d, OPARI_AT_BARRIER));
}

OPARI_INLINE unsigned pomp_lazy_masked(struct opari_thread *t, struct ompregdescr *d,
                                       const void *ra)
{
    opari_lazy_enter(t, d, ra);
    return opari_direct_masked(TRC_AT(TRC_WORK, ompt_scope_begin), t, ompt_scope_begin, ra);
}

/* The thread may be in a lazy construct, which opari_event_begin settles first. */
OPARI_INLINE void pomp_on_Master_begin(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        pomp_lazy_end(t, d, OPARI_LAZY_MASKED, pomp_lazy_masked(t, d, ra));
}

POMP_OFTEN void POMP_Master_begin(struct ompregdescr *d)
{
    POMP_LAZY_BEGIN(Master_begin, OPARI_LAZY_MASKED, pomp_lazy_masked(t, d, POMP_CALLER));
}
POMP_OFTEN void POMP_Master_end(struct ompregdescr *d) { pomp_on_Master_end(d, POMP_CALLER); }

/* These begin the other lazy constructs, also those in Fortran's text. */
OPARI_INLINE unsigned pomp_lazy_critical(struct opari_thread *t, struct ompregdescr *d,
                                         const void *ra)
{
    return opari_lazy_mutex_enter(t, d, ompt_mutex_critical, ompt_state_wait_critical,
                                  pomp_critical_id(d), (unsigned)d->hint, ra);
}

OPARI_INLINE unsigned pomp_lazy_ordered(struct opari_thread *t, struct ompregdescr *d,
                                        const void *ra)
{
    return opari_lazy_mutex_enter(t, d, ompt_mutex_ordered, ompt_state_wait_ordered,
                                  (uintptr_t)t->task->parallel + 1, 0, ra);
}

OPARI_INLINE unsigned pomp_lazy_taskwait(struct opari_thread *t, struct ompregdescr *d,
                                         const void *ra, void *frame)
{
    return opari_lazy_sync_enter(t, d, ompt_sync_region_taskwait, ompt_state_wait_taskwait, ra,
                                 frame);
}

OPARI_INLINE unsigned pomp_lazy_barrier(struct opari_thread *t, struct ompregdescr *d,
                                        const void *ra, void *frame)
{
    return opari_lazy_sync_enter(t, d, ompt_sync_region_barrier_explicit,
                                 ompt_state_wait_barrier_explicit, ra, frame);
}

POMP_OFTEN void POMP_Critical_enter(struct ompregdescr *d)
{
    POMP_LAZY_BEGIN(Critical_enter, OPARI_LAZY_CRITICAL_ASKED,
                    pomp_lazy_critical(t, d, POMP_CALLER));
}
POMP_OFTEN void POMP_Critical_begin(struct ompregdescr *d) { pomp_on_Critical_begin(d); }
POMP_OFTEN void POMP_Critical_exit(struct ompregdescr *d) { pomp_on_Critical_exit(d, POMP_CALLER); }

POMP_OFTEN void POMP_Ordered_enter(struct ompregdescr *d)
{
    if (OPARI_UNLIKELY(pomp_is_stand_alone(d)))
        pomp_ordered_waits(d, POMP_CALLER);
    else
        POMP_LAZY_BEGIN(Ordered_enter, OPARI_LAZY_ORDERED_ASKED,
                        pomp_lazy_ordered(t, d, POMP_CALLER));
}
POMP_OFTEN void POMP_Ordered_begin(struct ompregdescr *d) { pomp_on_Ordered_begin(d); }
POMP_OFTEN void POMP_Ordered_exit(struct ompregdescr *d) { pomp_on_Ordered_exit(d, POMP_CALLER); }

POMP_OFTEN void POMP_Taskwait_enter(struct ompregdescr *d)
{
    if (POMP_WAITS_AS_TASK(d, ompt_scope_begin, POMP_CALLER, POMP_FRAME))
        return;
    POMP_LAZY_BEGIN(Taskwait_enter, OPARI_LAZY_TASKWAIT,
                    pomp_lazy_taskwait(t, d, POMP_CALLER, POMP_FRAME));
}
POMP_OFTEN void POMP_Taskwait_exit(struct ompregdescr *d) { pomp_on_Taskwait_exit(d); }

/* Raises the events of a single whose calls are merged. Until the barrier, only its block has
 * events, on the thread that executes it. */
OPARI_INLINE unsigned pomp_lazy_body(struct opari_thread *t, struct ompregdescr *d,
                                     ompt_scope_endpoint_t at, const void *ra)
{
    if (at == ompt_scope_begin)
        opari_lazy_enter(t, d, ra);
    opari_raise_work(t, ompt_work_single_executor, at, 1, ra);
    return 0;
}

POMP_OFTEN void POMP_Single_only_begin(struct ompregdescr *d)
{
    POMP_LAZY_BEGIN(Single_only_begin, OPARI_LAZY_BODY,
                    pomp_lazy_body(t, d, ompt_scope_begin, POMP_CALLER));
}

POMP_OFTEN void POMP_Single_only_end(struct ompregdescr *d)
{
    POMP_LAZY_ON(OPARI_LAZY_BODY, OPARI_LAZY_NONE,
                 pomp_lazy_body(t, d, ompt_scope_end, POMP_CALLER),
                 pomp_stacked_body_end(d, POMP_CALLER));
}

/* The barrier of a construct with merged calls that is not innermost. Either something inside it
 * was left open and is closed now, or the construct has no entry. A single has none on the threads
 * that do not execute it. The functions jump to each other, so that caller and frame remain the
 * program's. */
POMP_OUT_OF_LINE void pomp_own_barrier_merged(struct ompregdescr *d);

static OPARI_NOINLINE void pomp_own_barrier_other(struct opari_thread *t, struct ompregdescr *d)
{
    const int single = d->kind == POMP_KIND_SINGLE;
    const int found = opari_find_below(t, d, single ? OPARI_AT_SINGLE_BODY : OPARI_AT_WORK),
              room = opari_has_room(t);
    if (!found && room)
        (void)opari_put_flags(t, d, OPARI_AT_SINGLE, single ? 0 : OPARI_ENTRY_ACQUIRED,
                              opari_region_work, POMP_CALLER);
    opari_event_end();
    if (found || room)
        pomp_own_barrier_merged(d);
}

POMP_OUT_OF_LINE void pomp_own_barrier_merged(struct ompregdescr *d)
{
    struct opari_thread *t = opari_here;
    const int lazy = t->regions.event == OPARI_LAZY(OPARI_LAZY_BODY);
    if (OPARI_UNLIKELY(!lazy && !opari_is_ready(t))) {
        pomp_unready(d, pomp_own_barrier_merged);
        return;
    }
    opari_event_enter(t, d);
    if (lazy) {
        if (OPARI_UNLIKELY(t->lazy.region != d)) {
            opari_lazy_other(t, OPARI_LAZY_BODY);
            pomp_unready(d, pomp_own_barrier_merged);
            return;
        }
    } else if (OPARI_UNLIKELY(t->top->region != d || (t->top->what != OPARI_AT_WORK &&
                                                      t->top->what != OPARI_AT_SINGLE_BODY &&
                                                      t->top->what != OPARI_AT_SINGLE))) {
        pomp_own_barrier_other(t, d);
        return;
    }
    opari_work_to_barrier(t, d, lazy, POMP_CALLER, POMP_FRAME);
    opari_lazy_leave(t, OPARI_LAZY_BARRIER);
}

/* Enters the barrier of a construct that is not a barrier itself, with its events. */
POMP_OUT_OF_LINE void pomp_own_barrier_observed(struct ompregdescr *d)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL)) {
        pomp_unready(d, pomp_own_barrier_observed);
        return;
    }
    opari_event_enter(t, d);
    if (OPARI_UNLIKELY(t->top == t->limit)) {
        pomp_no_room(t, d, pomp_own_barrier_observed);
        return;
    }
    pomp_event_end(d, pomp_own_barrier_enter(t, d, POMP_CALLER, POMP_FRAME));
}

POMP_OUT_OF_LINE void pomp_own_barrier(struct ompregdescr *d)
{
    if (OPARI_LIKELY(pomp_barrier_kind(d) == ompt_sync_region_barrier_implicit_workshare &&
                     OPARI_LOAD(&pomp.merges))) {
        pomp_own_barrier_merged(d);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL) || !pomp_eventless_barrier(t, d, POMP_CALLER, POMP_FRAME))
        pomp_own_barrier_observed(d);
}

/* The barrier of another construct has other events than a barrier directive. */
POMP_OFTEN void POMP_Barrier_enter(struct ompregdescr *d)
{
    if (OPARI_UNLIKELY(d->kind != POMP_KIND_BARRIER))
        pomp_own_barrier(d);
    else
        POMP_LAZY_BEGIN(Barrier_enter, OPARI_LAZY_BARRIER,
                        pomp_lazy_barrier(t, d, POMP_CALLER, POMP_FRAME));
}
POMP_OFTEN void POMP_Barrier_exit(struct ompregdescr *d) { pomp_on_Barrier_exit(d); }
