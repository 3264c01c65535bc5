/* worksharing.c: worksharing, synchronisation, mutual exclusion and plain regions: what happens
 * inside one task.
 *
 * The functions are inline: pomp/ calls each one with constants, so that the compiler evaluates the
 * switch over the kind of a construct. The caller ensures room for an entry (opari_has_room), and
 * that the construct to leave is the innermost entry.
 *
 * After the call of a tool these functions find everything anew, starting at the thread. Nothing
 * has changed, but most events end with that call and so need to keep nothing across it.
 */
#include "../core/entries.h"

OPARI_INLINE unsigned opari_work_enter(struct opari_thread *t, struct ompregdescr *d, int type,
                                       uint64_t count, const void *ra)
{
    opari_put(t, d, OPARI_AT_WORK, type, ra)->of.count = count;
    return opari_direct_work(TRC_AT(TRC_WORK, ompt_scope_begin), t, type, ompt_scope_begin, count,
                             ra);
}

/* The work ends before the construct's own barrier, OpenMP 5.2 [19.5.2.5]. The construct ends after
 * it. */
OPARI_INLINE void opari_work_done(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    if (e->flags & OPARI_ENTRY_DONE)
        return;
    e->flags |= OPARI_ENTRY_DONE;
    t->regions.part = 1;
    opari_raise_work(t, e->detail, ompt_scope_end,
                     e->detail == ompt_work_taskloop ? e->of.count : 0, ra);
    opari_self->regions.part = 0;
}

/* The end of a construct that has more events than its work. */
static OPARI_NOINLINE void opari_work_exit_slow(struct opari_thread *t, const void *ra)
{
    const struct opari_entry *e = t->top;
    if (e->flags & OPARI_ENTRY_DONE)
        opari_raise_region(t, ompt_scope_end, opari_region_construct, NULL, ra);
    else
        opari_raise_work(t, e->detail, ompt_scope_end, 0, ra);
    opari_pop_top();
}

OPARI_INLINE unsigned opari_work_exit(struct opari_thread *t, const void *ra)
{
    const struct opari_entry *e = t->top;
    if (OPARI_LIKELY(e->flags == 0)) {
        const unsigned operation = opari_direct_work(TRC_AT(TRC_WORK, ompt_scope_end), t, e->detail,
                                                     ompt_scope_end, 0, ra);
        opari_drop_top(); /* nothing has changed the state */
        return operation;
    }
    opari_work_exit_slow(t, ra);
    return 0;
}

/* A flush leaves nothing open. So it has an entry only where somebody times it as a region. */
static OPARI_COLD unsigned opari_flush_timed(struct opari_thread *t, const void *ra)
{
    opari_raise_flush(t, ra);
    return opari_region_exit(opari_self, opari_region_work, NULL, ra);
}

OPARI_INLINE unsigned opari_flush(struct opari_thread *t, const struct ompregdescr *d,
                                  const void *ra)
{
    if (OPARI_UNLIKELY(t->top->region == d && t->top->what == OPARI_AT_REGION))
        return opari_flush_timed(t, ra);
    opari_raise_flush(t, ra);
    return 0;
}

OPARI_INLINE unsigned opari_masked_begin(struct opari_thread *t, struct ompregdescr *d,
                                         const void *ra)
{
    (void)opari_put(t, d, OPARI_AT_MASKED, 0, ra);
    return opari_direct_masked(TRC_AT(TRC_WORK, ompt_scope_begin), t, ompt_scope_begin, ra);
}

OPARI_INLINE unsigned opari_masked_end(struct opari_thread *t, const void *ra)
{
    const unsigned operation =
        opari_direct_masked(TRC_AT(TRC_WORK, ompt_scope_end), t, ompt_scope_end, ra);
    opari_drop_top();
    return operation;
}

/* An explicit barrier at the end of a parallel region replaces the implicit one there. So does that
 * of a loop or sections in a combined construct, which has only one barrier. Returns whether the
 * team has one thread, and so no barrier. */
OPARI_INLINE int opari_ends_parallel(struct opari_thread *t)
{
    struct opari_entry *e = t->top->what == OPARI_AT_WORK ? t->top - 1 : t->top;
    if (e->what != OPARI_AT_IMPLICIT)
        return 0;
    e->flags |= OPARI_ENTRY_BARRIER;
    opari_clear_exit_frame(t->task);
    return e->detail == 1;
}

/* The events of a barrier or taskwait, the innermost entry. The functions keep no value across a
 * call. */
OPARI_INLINE void opari_sync_begin(struct opari_thread *t, int kind, int state)
{
    opari_raise_sync(t, kind, ompt_scope_begin, t->top->ra);
    t = opari_self;
    t->state = state;
    opari_raise_wait(t, kind, ompt_scope_begin, t->top->ra);
}

/* The same for the last barrier of a parallel region, and where calls are not merged. */
static OPARI_NOINLINE void opari_sync_begin_slow(struct opari_thread *t, int kind, int state)
{
    opari_sync_begin(t, kind, state);
}

OPARI_INLINE void opari_sync_over(struct opari_thread *t)
{
    opari_raise_wait(t, t->top->detail, ompt_scope_end, t->top->ra);
    t = opari_self;
    opari_raise_sync(t, t->top->detail, ompt_scope_end, t->top->ra);
    t = opari_self;
    opari_clear_enter_frame(t->task);
    opari_pop(t, t->top);
}

/* Ends the innermost entry's work, whose barrier follows, but not the construct. */
static OPARI_NOINLINE void opari_work_before_barrier(struct opari_thread *t, const void *ra)
{
    struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_WORK)
        opari_work_done(t, e, ra);
    else if (e->what == OPARI_AT_SINGLE)
        opari_single_other(t, e, ra);
}

/* The last barrier of a team of one, which raises no events. The thread's state and frame show that
 * it is in the runtime. */
OPARI_INLINE void opari_eventless_barrier(struct opari_thread *t, struct ompregdescr *d,
                                          const void *ra, void *frame)
{
    (void)opari_put_flags(t, d, OPARI_AT_BARRIER, OPARI_ENTRY_LAST | OPARI_ENTRY_QUIET,
                          ompt_sync_region_barrier_implicit_parallel, ra);
    opari_set_enter_frame(t->task, frame);
    t->state = ompt_state_wait_barrier_implicit_parallel;
}

/* The same where the implicit task is the innermost entry. */
OPARI_INLINE void opari_eventless_barrier_enter(struct opari_thread *t, struct ompregdescr *d,
                                                const void *ra, void *frame)
{
    t->top->flags |= OPARI_ENTRY_BARRIER;
    opari_clear_exit_frame(t->task);
    opari_eventless_barrier(t, d, ra, frame);
}

/* The explicit barrier of a construct, where it is the last one of a parallel region. */
OPARI_INLINE void opari_last_barrier_enter(struct opari_thread *t, struct ompregdescr *d,
                                           const void *ra, void *frame)
{
    const int kind = ompt_sync_region_barrier_implicit_parallel,
              state = ompt_state_wait_barrier_implicit_parallel;
    if (OPARI_UNLIKELY(opari_ends_parallel(t))) {
        opari_eventless_barrier(t, d, ra, frame);
        return;
    }
    (void)opari_put_flags(t, d, OPARI_AT_BARRIER, OPARI_ENTRY_LAST, kind, ra);
    opari_set_enter_frame(t->task, frame);
    opari_sync_begin_slow(t, kind, state);
}

static void opari_sync_end(struct opari_thread *t, struct opari_entry *e)
{
    const void *ra = e->ra;
    if (OPARI_LIKELY(e->detail != ompt_sync_region_barrier_implicit_parallel)) {
        t->regions.part = e->flags & OPARI_ENTRY_PART;
        opari_raise_wait(t, e->detail, ompt_scope_end, ra);
        opari_raise_sync(t, e->detail, ompt_scope_end, ra);
        t->regions.part = 0;
    } else if (!(e->flags & OPARI_ENTRY_QUIET)) { /* the region may be gone */
        opari_raise_last_wait_end(t, ompt_sync_region_barrier_implicit_parallel, ra);
        opari_raise_last_sync_end(t, ompt_sync_region_barrier_implicit_parallel, ra);
    }
    opari_clear_enter_frame(t->task);
}

/* kind is 0 where only the entry knows it. */
OPARI_INLINE unsigned opari_sync_exit(struct opari_thread *t, int kind)
{
    const struct opari_entry *e = t->top;
    if (kind == 0 && OPARI_UNLIKELY(e->flags != 0)) { /* the last barrier of a region; its end may
                                                         be the region's last call, which the
                                                         compiler turns into a jump */
        opari_sync_end(t, t->top);
        opari_pop_top();
        return 0;
    }
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only))) {
        opari_clear_enter_frame(t->task);
        opari_pop(t, t->top);
        return TRC_AT(kind == ompt_sync_region_taskwait ? TRC_TASKWAIT : TRC_BARRIER,
                      ompt_scope_end);
    }
    opari_sync_over(t);
    return 0;
}

/* A barrier that the innermost construct implies and for which the program has no call. */
OPARI_INLINE void opari_implied_begin(struct opari_thread *t, int kind, int state, const void *ra,
                                      void *frame)
{
    opari_work_before_barrier(t, ra);
    if (!opari_has_room(t))
        return;
    (void)opari_put_flags(t, t->top->region, OPARI_AT_BARRIER, OPARI_ENTRY_PART, kind, ra);
    opari_set_enter_frame(t->task, frame);
    t->regions.part = 1;
    opari_raise_sync(t, kind, ompt_scope_begin, ra);
    t->state = state;
    opari_raise_wait(t, kind, ompt_scope_begin, ra);
    t->regions.part = 0;
}

OPARI_INLINE void opari_implied_end(struct opari_thread *t)
{
    struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_BARRIER && (e->flags & OPARI_ENTRY_PART)) {
        opari_sync_end(t, e);
        opari_pop(t, e);
    }
}

/* A taskloop has a taskgroup around its work unless it has a nogroup clause. */
OPARI_INLINE void opari_taskloop_enter(struct opari_thread *t, struct ompregdescr *d, int group,
                                       uint64_t count, const void *ra)
{
    struct opari_entry *e = opari_put(t, d, OPARI_AT_WORK, ompt_work_taskloop, ra);
    e->of.count = count;
    if (group) {
        e->flags |= OPARI_ENTRY_GROUP;
        t->regions.part = 1;
        opari_raise_sync(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
        t->regions.part = 0;
    }
    opari_raise_work(t, ompt_work_taskloop, ompt_scope_begin, count, ra);
}

/* All tasks have been created, and the thread now waits for them. One call of the runtime does the
 * entire taskloop, so all events have one code pointer. */
OPARI_INLINE void opari_taskloop_wait(struct opari_thread *t, struct opari_entry *e)
{
    opari_work_done(t, e, e->ra);
    if (!(e->flags & OPARI_ENTRY_GROUP) || (e->flags & OPARI_ENTRY_ACQUIRED))
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    t->regions.part = 1;
    t->state = ompt_state_wait_taskgroup;
    opari_raise_wait(t, ompt_sync_region_taskgroup, ompt_scope_begin, e->ra);
    t->regions.part = 0;
}

/* Ends those tasks of a group that a cancel has discarded. from is the thread's made at the begin
 * of the group. */
OPARI_INLINE void opari_group_discard(struct opari_thread *t, unsigned from)
{
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_cancels)) && t->made != from &&
        opari_tools.count > opari_own_tools)
        opari_tasks_discard(t, t->task, from);
}

static void opari_taskloop_over(struct opari_thread *t, struct opari_entry *e)
{
    const void *ra = e->ra;
    opari_taskloop_wait(t, e);
    if (e->flags & OPARI_ENTRY_GROUP) {
        t->regions.part = 1;
        opari_raise_wait(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
        opari_raise_sync(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
        t->regions.part = 0;
    }
}

static void opari_taskloop_end(struct opari_thread *t, struct opari_entry *e)
{
    opari_taskloop_over(t, e);
    opari_clear_enter_frame(t->task);
    opari_raise_region(t, ompt_scope_end, opari_region_construct, NULL, e->ra);
}

OPARI_INLINE void opari_taskloop_exit(struct opari_thread *t)
{
    opari_taskloop_end(t, t->top);
    opari_pop_top();
}

OPARI_INLINE void opari_taskgroup_enter(struct opari_thread *t, struct ompregdescr *d,
                                        const void *ra)
{
    opari_put(t, d, OPARI_AT_TASKGROUP, ompt_sync_region_taskgroup, ra)->of.made = t->made;
    opari_raise_sync(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
    opari_raise_region(opari_self, ompt_scope_begin, opari_region_group, NULL, ra);
}

/* The last statement of the taskgroup is done, and the thread now waits. */
OPARI_INLINE void opari_taskgroup_end(struct opari_thread *t, const void *ra, void *frame)
{
    t->top->flags |= OPARI_ENTRY_ACQUIRED;
    t->top->ra = ra;
    opari_set_enter_frame(t->task, frame);
    t->state = ompt_state_wait_taskgroup;
    opari_raise_wait(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
}

/* The tasks of the taskgroup are over. The code pointer is that of the wait's begin. */
static void opari_taskgroup_over(struct opari_thread *t, const struct opari_entry *e)
{
    const void *ra = e->ra;
    opari_group_discard(t, e->of.made);
    if (e->flags & OPARI_ENTRY_ACQUIRED)
        opari_raise_wait(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
    opari_raise_sync(opari_self, ompt_sync_region_taskgroup, ompt_scope_end, ra);
    opari_clear_enter_frame(opari_self->task);
}

/* The encountering task combines the reductions of a group after the wait and before the call that
 * marks the group's end. So this raises the end of the wait first. */
static OPARI_MAYBE OPARI_COLD void opari_group_reduced(struct opari_thread *t,
                                                       struct opari_entry *e)
{
    e->flags &= (short)~OPARI_ENTRY_REDUCES;
    if (e->what == OPARI_AT_TASKGROUP) {
        opari_taskgroup_over(t, e);
        e->flags |= OPARI_ENTRY_DONE;
    } else {
        opari_taskloop_over(t, e);
        e->flags &= (short)~OPARI_ENTRY_GROUP;
    }
    opari_self->state = e->state;
}

OPARI_INLINE void opari_taskgroup_exit(struct opari_thread *t, const void *ra)
{
    struct opari_entry *e = t->top;
    if (OPARI_LIKELY((e->flags & OPARI_ENTRY_DONE) == 0))
        opari_taskgroup_over(t, e);
    opari_raise_region(opari_self, ompt_scope_end, opari_region_group, NULL, ra);
    opari_pop_top();
}

/* critical and ordered that have an entry. Usually they have none, see lazy.c. */
OPARI_INLINE unsigned opari_mutex_begin(struct opari_thread *t, int kind)
{
    struct opari_entry *e = t->top;
    e->flags = OPARI_ENTRY_ACQUIRED;
    t->state = e->state;
    t->wait_id = 0;
    return opari_direct_mutex_acquired(TRC_AT(TRC_HELD, ompt_scope_begin), kind, e->of.wait_id,
                                       e->ra);
}

OPARI_INLINE unsigned opari_mutex_exit(struct opari_thread *t, int kind, const void *ra)
{
    struct opari_entry *e = t->top;
    if (OPARI_UNLIKELY(!(e->flags & OPARI_ENTRY_ACQUIRED))) {
        t->wait_id = 0;
        opari_pop(t, e);
        return 0;
    }
    const unsigned operation =
        opari_direct_mutex_released(TRC_AT(TRC_MUTEX, ompt_scope_end), kind, e->of.wait_id, ra);
    opari_drop_top(); /* the begin has restored the state */
    return operation;
}
