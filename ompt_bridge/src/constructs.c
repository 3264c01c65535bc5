/* constructs.c: worksharing, synchronisation, mutual exclusion and plain regions: what happens inside one task.
 *
 * Inline, since pomp/ calls each with constants and the switch over the kind of a construct happens in the compiler.
 */
#include "bridge.h"

OPARI_INLINE void opari_work_enter(struct opari_thread *t, struct ompregdescr *d, int type, uint64_t count, const void *ra)
{
    struct opari_entry *e = opari_push(t, d, OPARI_AT_WORK, type);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->of.count = count;
    e->ra = ra;
    opari_fire_work(t, type, ompt_scope_begin, count, ra);
}

/* The work ends before the construct's own barrier, OpenMP 5.2 [19.5.2.5]; the construct ends behind it. */
OPARI_INLINE void opari_work_done(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    if (e->flags & OPARI_ENTRY_DONE)
        return;
    e->flags |= OPARI_ENTRY_DONE;
    t->regions.part = 1;
    opari_fire_work(t, e->detail, ompt_scope_end, e->detail == ompt_work_taskloop ? e->of.count : 0, ra);
    t->regions.part = 0;
}

/* single: the executor's work is its block; the others are reported when they wait or leave. */
OPARI_INLINE void opari_single_other(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    if (e->flags & OPARI_ENTRY_ACQUIRED)
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    opari_fire_work(t, ompt_work_single_other, ompt_scope_begin, 1, ra);
    opari_fire_work(t, ompt_work_single_other, ompt_scope_end, 1, ra);
}

OPARI_INLINE void opari_work_exit(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_WORK);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    if (e->flags & OPARI_ENTRY_DONE)
        opari_fire_region(t, ompt_scope_end, opari_region_construct, NULL, ra);
    else
        opari_fire_work(t, e->detail, ompt_scope_end, e->detail == ompt_work_taskloop ? e->of.count : 0, ra);
    opari_pop(t, e);
}

/* A region that OpenMP has no events for. what: OPARI_AT_REGION, _SECTION, _SINGLE, _CANCEL, _USER. */
OPARI_INLINE struct opari_entry *opari_region_enter(struct opari_thread *t, struct ompregdescr *d, int what, int region_class,
                                                    int state, const void *user, const void *ra)
{
    struct opari_entry *e = opari_push(t, d, what, region_class);
    if (OPARI_UNLIKELY(e == NULL))
        return NULL;
    if (state >= 0)
        t->state = state;
    e->ra = ra;
    opari_fire_region(t, ompt_scope_begin, region_class, user, ra);
    return e;
}

OPARI_INLINE void opari_region_exit(struct opari_thread *t, struct ompregdescr *d, int what, const void *user, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, what);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_fire_region(t, ompt_scope_end, e->detail, user, ra);
    opari_pop(t, e);
}

OPARI_INLINE void opari_single_begin(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_SINGLE);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    if (OPARI_LIKELY((e = opari_push(t, d, OPARI_AT_SINGLE_BODY, 0)) != NULL)) {
        e->ra = ra;
        opari_fire_work(t, ompt_work_single_executor, ompt_scope_begin, 1, ra);
    }
}

OPARI_INLINE void opari_single_end(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_SINGLE_BODY);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_fire_work(t, ompt_work_single_executor, ompt_scope_end, 1, ra);
    opari_pop(t, e);
}

OPARI_INLINE void opari_single_exit(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_SINGLE);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_single_other(t, e, ra);
    opari_fire_region(t, ompt_scope_end, e->detail, NULL, ra);
    opari_pop(t, e);
}

OPARI_INLINE void opari_masked_begin(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_push(t, d, OPARI_AT_MASKED, 0);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->ra = ra;
    opari_fire_masked(t, ompt_scope_begin, ra);
}

OPARI_INLINE void opari_masked_end(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_MASKED);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_fire_masked(t, ompt_scope_end, ra);
    opari_pop(t, e);
}

/* A barrier that was made explicit at the end of a parallel region stands for the implicit one there: also that of the loop or sections
 * in a combined construct, which has only one. A team of one thread has none. */
OPARI_INLINE int opari_ends_parallel(struct opari_thread *t)
{
    struct opari_entry *e = t->top->what == OPARI_AT_WORK ? t->top - 1 : t->top;
    if (e->what != OPARI_AT_IMPLICIT)
        return 0;
    e->flags |= OPARI_ENTRY_BARRIER;
    t->task->frame.exit_frame.ptr = NULL;
    t->task->frame.exit_frame_flags = 0;
    return e->detail == 1;
}

/* Barriers and taskwait: the thread waits from enter to exit, and executes tasks meanwhile. */
OPARI_INLINE void opari_sync_enter(struct opari_thread *t, struct ompregdescr *d, int what, int kind, int state, const void *ra,
                                   void *frame)
{
    struct opari_entry *below = t->top;
    int quiet = 0;
    if (what == OPARI_AT_BARRIER && below->region == d) {
        if (below->what == OPARI_AT_WORK)
            opari_work_done(t, below, ra);
        else if (below->what == OPARI_AT_SINGLE)
            opari_single_other(t, below, ra);
    }
    if (what == OPARI_AT_BARRIER && kind == ompt_sync_region_barrier_implicit_parallel)
        quiet = opari_ends_parallel(t);
    struct opari_entry *e = opari_push(t, d, what, kind);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->ra = ra;
    opari_set_enter_frame(t->task, frame);
    if (OPARI_UNLIKELY(quiet)) {
        e->flags = OPARI_ENTRY_QUIET;
        t->state = state;
        return;
    }
    opari_fire_sync(t, kind, ompt_scope_begin, ra);
    t->state = state;
    opari_fire_wait(t, kind, ompt_scope_begin, ra);
}

static void opari_sync_end(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    if (OPARI_LIKELY(e->detail != ompt_sync_region_barrier_implicit_parallel)) {
        t->regions.part = e->flags & OPARI_ENTRY_PART;
        opari_fire_wait(t, e->detail, ompt_scope_end, ra);
        opari_fire_sync(t, e->detail, ompt_scope_end, ra);
        t->regions.part = 0;
    } else if (!(e->flags & OPARI_ENTRY_QUIET)) { /* the region may be gone */
        opari_fire_last_wait_end(t, ra);
        opari_fire_last_sync_end(t, ra);
    }
    opari_clear_enter_frame(t->task);
}

OPARI_INLINE void opari_sync_exit(struct opari_thread *t, struct ompregdescr *d, int what, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, what);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_sync_end(t, e, ra);
    opari_pop(t, e);
}

/* A barrier that the construct on top of the stack implies and that has no call of its own in the program. */
OPARI_INLINE void opari_implied_begin(struct opari_thread *t, int kind, int state, const void *ra, void *frame)
{
    struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_WORK)
        opari_work_done(t, e, ra);
    else if (e->what == OPARI_AT_SINGLE)
        opari_single_other(t, e, ra);
    e = opari_push(t, e->region, OPARI_AT_BARRIER, kind);
    if (e == NULL)
        return;
    e->flags = OPARI_ENTRY_PART;
    e->ra = ra;
    opari_set_enter_frame(t->task, frame);
    t->regions.part = 1;
    opari_fire_sync(t, kind, ompt_scope_begin, ra);
    t->state = state;
    opari_fire_wait(t, kind, ompt_scope_begin, ra);
    t->regions.part = 0;
}

OPARI_INLINE void opari_implied_end(struct opari_thread *t, const void *ra)
{
    struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_BARRIER && (e->flags & OPARI_ENTRY_PART)) {
        opari_sync_end(t, e, ra);
        opari_pop(t, e);
    }
}

/* A taskloop is a taskgroup around its work unless nogroup says no. */
OPARI_INLINE void opari_taskloop_enter(struct opari_thread *t, struct ompregdescr *d, int group, uint64_t count, const void *ra)
{
    struct opari_entry *e = opari_push(t, d, OPARI_AT_WORK, ompt_work_taskloop);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->of.count = count;
    e->ra = ra;
    if (group) {
        e->flags |= OPARI_ENTRY_GROUP;
        t->regions.part = 1;
        opari_fire_sync(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
        t->regions.part = 0;
    }
    opari_fire_work(t, ompt_work_taskloop, ompt_scope_begin, count, ra);
}

/* All tasks are made: what follows is waiting for them. */
OPARI_INLINE void opari_taskloop_wait(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    opari_work_done(t, e, ra);
    if (!(e->flags & OPARI_ENTRY_GROUP) || (e->flags & OPARI_ENTRY_ACQUIRED))
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    t->regions.part = 1;
    t->state = ompt_state_wait_taskgroup;
    opari_fire_wait(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
    t->regions.part = 0;
}

/* Where tasks of a group were discarded. from: what the thread had made before. */
OPARI_INLINE void opari_group_discard(struct opari_thread *t, unsigned from)
{
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_cancels)) && t->made != from && opari_tools.count > opari_own_tools)
        opari_tasks_discard(t, t->task, from);
}

static void opari_taskloop_end(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    opari_taskloop_wait(t, e, ra);
    if (e->flags & OPARI_ENTRY_GROUP) {
        t->regions.part = 1;
        opari_fire_wait(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
        opari_fire_sync(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
        t->regions.part = 0;
    }
    opari_fire_region(t, ompt_scope_end, opari_region_construct, NULL, ra);
}

OPARI_INLINE void opari_taskloop_exit(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_WORK);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_taskloop_end(t, e, ra);
    opari_pop(t, e);
}

OPARI_INLINE void opari_taskgroup_enter(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_push(t, d, OPARI_AT_TASKGROUP, ompt_sync_region_taskgroup);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->ra = ra;
    e->of.made = t->made;
    opari_fire_sync(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
}

/* The last statement of the taskgroup is done: what follows is waiting. */
OPARI_INLINE void opari_taskgroup_end(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_TASKGROUP);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    t->state = ompt_state_wait_taskgroup;
    opari_fire_wait(t, ompt_sync_region_taskgroup, ompt_scope_begin, ra);
}

OPARI_INLINE void opari_taskgroup_exit(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_TASKGROUP);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_group_discard(t, e->of.made);
    if (e->flags & OPARI_ENTRY_ACQUIRED)
        opari_fire_wait(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
    opari_fire_sync(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
    opari_pop(t, e);
}

/* critical and ordered. The wait id and the state last from enter to begin. */
OPARI_INLINE void opari_mutex_enter(struct opari_thread *t, struct ompregdescr *d, int kind, int state, ompt_wait_id_t id,
                                    unsigned hint, const void *ra)
{
    struct opari_entry *e = opari_push(t, d, OPARI_AT_MUTEX, kind);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->of.wait_id = id;
    e->ra = ra;
    if (kind == ompt_mutex_ordered) { /* it waits for its turn before it asks */
        t->wait_id = id;
        t->state = state;
    }
    opari_fire_mutex_acquire(kind, hint, id, ra);
    t->wait_id = id;
    t->state = state;
}

OPARI_INLINE void opari_mutex_begin(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_MUTEX);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    t->state = e->state;
    t->wait_id = 0;
    opari_fire_mutex_acquired(e->detail, e->of.wait_id, ra);
}

OPARI_INLINE void opari_mutex_exit(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_MUTEX);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    if (OPARI_LIKELY(e->flags & OPARI_ENTRY_ACQUIRED))
        opari_fire_mutex_released(e->detail, e->of.wait_id, ra);
    t->wait_id = 0;
    opari_pop(t, e);
}

/* Locks have no entry: set and unset need not nest. How often this thread holds a nestable lock, change being +1, -1 or 0: the depth afterwards. Beyond OPARI_NEST_LOCKS different ones at
 * once the depth is taken to be 1. */
static unsigned opari_nest_depth(struct opari_thread *t, ompt_wait_id_t id, int change)
{
    unsigned i = t->nest_locks;
    while (i > 0 && t->nest[i - 1].lock != id)
        i--;
    if (i == 0) {
        if (change <= 0 || t->nest_locks == OPARI_NEST_LOCKS)
            return change < 0 ? 0 : (unsigned)change;
        i = ++t->nest_locks;
        t->nest[i - 1].lock = id;
        t->nest[i - 1].depth = 0;
    }
    unsigned depth = t->nest[i - 1].depth + (unsigned)change;
    t->nest[i - 1].depth = depth;
    if (depth == 0)
        t->nest[i - 1] = t->nest[--t->nest_locks];
    return depth;
}
