/* lazy.c: constructs in which usually nothing else happens. They have no entry on the stack.
 *
 * Between two events regions.event holds the kind of the open lazy construct, which is then
 * innermost; within an event it holds the event's region (see OPARI_READY). thread->lazy holds the
 * rest. An event that finds its thread not ready calls opari_thread_first, which makes an entry for
 * the construct. So all other events see a complete stack.
 *
 * An event in a signal handler may do so between two instructions of a lazy construct's end.
 * Therefore that end looks at lazy.region again once it has entered.
 */
#include "../core/entries.h"

/* The value of thread->lazy.region after its entry has been made. */
#define OPARI_LAZY_PUT ((struct ompregdescr *)1)

/* Makes the entry, within an event. Without memory the construct and its end are ignored. */
static OPARI_NOINLINE void opari_lazy_put_now(struct opari_thread *t, unsigned lazy)
{
    static const struct {
        short what, flags;
        int detail;
    } as[OPARI_LAZYS] = {
        [OPARI_LAZY_MASKED] = {OPARI_AT_MASKED, 0, 0},
        [OPARI_LAZY_CRITICAL_ASKED] = {OPARI_AT_MUTEX, 0, ompt_mutex_critical},
        [OPARI_LAZY_CRITICAL] = {OPARI_AT_MUTEX, OPARI_ENTRY_ACQUIRED, ompt_mutex_critical},
        [OPARI_LAZY_ORDERED_ASKED] = {OPARI_AT_MUTEX, 0, ompt_mutex_ordered},
        [OPARI_LAZY_ORDERED] = {OPARI_AT_MUTEX, OPARI_ENTRY_ACQUIRED, ompt_mutex_ordered},
        [OPARI_LAZY_BARRIER] = {OPARI_AT_BARRIER, 0, 0},
        [OPARI_LAZY_TASKWAIT] = {OPARI_AT_TASKWAIT, 0, ompt_sync_region_taskwait},
        [OPARI_LAZY_BODY] = {OPARI_AT_SINGLE_BODY, 0, opari_region_work},
    };
    if (t->lazy.region != OPARI_LAZY_PUT && opari_has_room(t)) {
        struct opari_entry *e = opari_put_flags(
            t, t->lazy.region, as[lazy].what, as[lazy].flags,
            lazy == OPARI_LAZY_BARRIER ? t->lazy.kind : as[lazy].detail, t->lazy.ra);
        e->state = t->lazy.state;
        e->of.wait_id = t->lazy.wait_id;
    }
    t->lazy.region = OPARI_LAZY_PUT;
}

/* Makes that entry. Returns the calling thread, which is ready then; null where it is inside an
 * event. */
static OPARI_NOINLINE struct opari_thread *opari_lazy_put(struct opari_thread *t)
{
    const uintptr_t lazy = (uintptr_t)t->regions.event;
    if (lazy - OPARI_LAZY_MASKED < OPARI_LAZYS - OPARI_LAZY_MASKED) {
        opari_event_enter(t, NULL);
        opari_lazy_put_now(t, (unsigned)lazy);
        opari_event_end();
    }
    return opari_is_ready(t) ? t : NULL;
}

/* Whether the calling thread was in a lazy construct, which has an entry now. */
OPARI_INLINE int opari_lazy_was_put(void)
{
    struct opari_thread *t = opari_self;
    return t != NULL && !opari_is_ready(t) && opari_lazy_put(t) != NULL;
}

/* Enters the first event of a lazy construct. */
OPARI_INLINE void opari_lazy_enter(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    opari_event_enter(t, d);
    t->lazy.region = d;
    t->lazy.ra = ra;
}

/* Ends an event within the construct. */
OPARI_INLINE void opari_lazy_leave(struct opari_thread *t, unsigned lazy)
{
    OPARI_SIGNAL_FENCE();
    t->regions.event = OPARI_LAZY(lazy);
}

/* Whether the open lazy construct, whose event has just been entered, is that of d. A signal
 * handler may have settled it. */
OPARI_INLINE int opari_lazy_is(const struct opari_thread *t, const struct ompregdescr *d)
{
    return OPARI_LIKELY(t->lazy.region == d) != 0;
}

/* Leaves the event where the construct was another one or has been settled. */
static OPARI_NOINLINE void opari_lazy_other(struct opari_thread *t, unsigned lazy)
{
    opari_lazy_leave(t, t->lazy.region == OPARI_LAZY_PUT ? OPARI_LAZY_NONE : lazy);
}

/* critical and ordered. lazy keeps the wait id and the state from enter to begin. Like others these
 * functions return the operation that remains to be recorded. */
OPARI_INLINE unsigned opari_lazy_mutex_enter(struct opari_thread *t, struct ompregdescr *d,
                                             int kind, int state, ompt_wait_id_t id, unsigned hint,
                                             const void *ra)
{
    opari_lazy_enter(t, d, ra);
    t->lazy.wait_id = id;
    t->lazy.state = t->state;
    t->wait_id = id;
    t->state = state;
    return opari_direct_mutex_acquire(TRC_AT(TRC_MUTEX, ompt_scope_begin), kind, hint, id, ra);
}

/* The code pointer is that of enter: in other runtimes one call asks for the lock and takes it. */
OPARI_INLINE unsigned opari_lazy_mutex_begin(struct opari_thread *t, int kind)
{
    t->state = t->lazy.state;
    t->wait_id = 0;
    return opari_direct_mutex_acquired(TRC_AT(TRC_HELD, ompt_scope_begin), kind, t->lazy.wait_id,
                                       t->lazy.ra);
}

OPARI_INLINE unsigned opari_lazy_mutex_exit(const struct opari_thread *t, int kind, const void *ra)
{
    return opari_direct_mutex_released(TRC_AT(TRC_MUTEX, ompt_scope_end), kind, t->lazy.wait_id,
                                       ra);
}

/* Raises the events of a barrier or taskwait. lazy.ra is set. */
OPARI_INLINE void opari_lazy_sync_begin(struct opari_thread *t, int kind, int state, void *frame)
{
    t->lazy.state = t->state;
    t->lazy.kind = kind;
    opari_set_enter_frame(t->task, frame);
    opari_raise_sync(t, kind, ompt_scope_begin, t->lazy.ra);
    t->state = state;
    opari_raise_wait(t, kind, ompt_scope_begin, t->lazy.ra);
}

/* Barriers and taskwait: the thread waits from enter to exit, and may execute tasks meanwhile. */
OPARI_INLINE unsigned opari_lazy_sync_enter(struct opari_thread *t, struct ompregdescr *d, int kind,
                                            int state, const void *ra, void *frame)
{
    opari_lazy_enter(t, d, ra);
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only))) { /* the recorder needs the wait alone */
        t->lazy.state = t->state;
        t->lazy.kind = kind;
        t->state = state;
        opari_set_enter_frame(t->task, frame);
        return TRC_AT(kind == ompt_sync_region_taskwait ? TRC_TASKWAIT : TRC_BARRIER,
                      ompt_scope_begin);
    }
    opari_lazy_sync_begin(t, kind, state, frame);
    return 0;
}

/* Ends the work of a single that has an entry, on the thread that has executed the block or on
 * another. */
static OPARI_NOINLINE void opari_single_over(struct opari_thread *t, const struct opari_entry *e,
                                             const void *ra)
{
    if (e->what == OPARI_AT_SINGLE_BODY)
        opari_raise_work(t, ompt_work_single_executor, ompt_scope_end, 1, ra);
    else if ((e->flags & OPARI_ENTRY_ACQUIRED) == 0)
        opari_raise_single_other(t, ra);
}

/* Begins the barrier of construct d, whose work is over. With lazy that is the work of a single
 * with a lazy block; else that of the innermost entry. The barrier is lazy, and its end is also the
 * construct's. */
OPARI_INLINE void opari_work_to_barrier(struct opari_thread *t, struct ompregdescr *d, int lazy,
                                        const void *ra, void *frame)
{
    t->lazy.region = d;
    t->lazy.ra = ra;
    if (lazy) {
        opari_raise_work(t, ompt_work_single_executor, ompt_scope_end, 1, ra);
    } else {
        const struct opari_entry *e = t->top--;
        if (OPARI_UNLIKELY(e->what != OPARI_AT_WORK))
            opari_single_over(t, e, ra);
        else if (OPARI_LIKELY((e->flags & OPARI_ENTRY_DONE) == 0))
            opari_raise_work(t, e->detail, ompt_scope_end, 0, ra);
    }
    opari_lazy_sync_begin(t, ompt_sync_region_barrier_implicit_workshare,
                          ompt_state_wait_barrier_implicit_workshare, frame);
}

/* taskwait says which of the two ends. The code pointer is that of enter: in other runtimes one
 * call does the entire wait. */
OPARI_INLINE unsigned opari_lazy_sync_exit(struct opari_thread *t, int taskwait)
{
    unsigned operation = 0;
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only))) {
        operation = TRC_AT(taskwait ? TRC_TASKWAIT : TRC_BARRIER, ompt_scope_end);
    } else {
        opari_raise_wait(t, taskwait ? (int)ompt_sync_region_taskwait : t->lazy.kind,
                         ompt_scope_end, t->lazy.ra);
        opari_raise_sync(t, taskwait ? (int)ompt_sync_region_taskwait : t->lazy.kind,
                         ompt_scope_end, t->lazy.ra);
    }
    opari_clear_enter_frame(t->task);
    t->state = t->lazy.state;
    return operation;
}
