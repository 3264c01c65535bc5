/* constructs.c: worksharing, synchronisation, mutual exclusion and plain regions: what happens inside one task.
 *
 * Inline, since pomp/ calls each with constants and the switch over the kind of a construct happens in the compiler.
 */
#include "bridge.h"

OPARI_INLINE void opari_work_enter(struct opari_thread *t, struct ompregdescr *d, int type, uint64_t count, const void *ra)
{
    if (OPARI_LIKELY(opari_push(t, d, OPARI_AT_WORK, type) != NULL))
        opari_fire_work(t, type, ompt_scope_begin, count, ra);
}

OPARI_INLINE void opari_work_exit(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_WORK);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_fire_work(t, e->detail, ompt_scope_end, 0, ra);
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

/* single: the executor's work is its block; the others are reported when they wait or leave. */
OPARI_INLINE void opari_single_other(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    if (e->flags & OPARI_ENTRY_ACQUIRED)
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    opari_fire_work(t, ompt_work_single_other, ompt_scope_begin, 1, ra);
    opari_fire_work(t, ompt_work_single_other, ompt_scope_end, 1, ra);
}

OPARI_INLINE void opari_single_begin(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, OPARI_AT_SINGLE);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    if (OPARI_LIKELY(opari_push(t, d, OPARI_AT_SINGLE_BODY, 0) != NULL))
        opari_fire_work(t, ompt_work_single_executor, ompt_scope_begin, 1, ra);
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
    if (OPARI_LIKELY(opari_push(t, d, OPARI_AT_MASKED, 0) != NULL))
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

/* Barriers and taskwait: the thread waits from enter to exit, and executes tasks meanwhile. */
OPARI_INLINE void opari_sync_enter(struct opari_thread *t, struct ompregdescr *d, int what, int kind, int state, const void *ra)
{
    struct opari_entry *below = t->top;
    if (what == OPARI_AT_BARRIER && kind == ompt_sync_region_barrier_implicit_parallel) {
        if (below->what == OPARI_AT_IMPLICIT && below->region == d)
            below->flags |= OPARI_ENTRY_BARRIER;
    } else if (what == OPARI_AT_BARRIER && below->what == OPARI_AT_SINGLE && below->region == d) {
        opari_single_other(t, below, ra);
    }
    if (OPARI_UNLIKELY(opari_push(t, d, what, kind) == NULL))
        return;
    opari_fire_sync(t, kind, ompt_scope_begin, ra);
    t->state = state;
    opari_fire_wait(t, kind, ompt_scope_begin, ra);
}

OPARI_INLINE void opari_sync_exit(struct opari_thread *t, struct ompregdescr *d, int what, const void *ra)
{
    struct opari_entry *e = opari_find(t, d, what);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    opari_fire_wait(t, e->detail, ompt_scope_end, ra);
    opari_fire_sync(t, e->detail, ompt_scope_end, ra);
    opari_pop(t, e);
}

OPARI_INLINE void opari_taskgroup_enter(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    if (OPARI_LIKELY(opari_push(t, d, OPARI_AT_TASKGROUP, ompt_sync_region_taskgroup) != NULL))
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
    if (e->flags & OPARI_ENTRY_ACQUIRED)
        opari_fire_wait(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
    opari_fire_sync(t, ompt_sync_region_taskgroup, ompt_scope_end, ra);
    opari_pop(t, e);
}

/* critical and ordered. The wait id and the state last from enter to begin. */
OPARI_INLINE void opari_mutex_enter(struct opari_thread *t, struct ompregdescr *d, int kind, int state, ompt_wait_id_t id,
                                    const void *ra)
{
    struct opari_entry *e = opari_push(t, d, OPARI_AT_MUTEX, kind);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    e->of.wait_id = id;
    opari_fire_mutex_acquire(kind, 0, id, ra);
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
