/* nest_locks.c: how often a thread holds a nestable lock. The owner of such a lock acquires it at
 * once. Only the runtime knows the owner, so each thread keeps its own depth. */
#include "../core/bridge.h"

/* Locks have no entry, because set and unset need not nest. Usually a thread holds one nestable
 * lock, once: nest_only then holds it. When a thread holds more than OPARI_NEST_LOCKS at once, the
 * depth of a further one counts as 1. */
static unsigned opari_nest_listed(struct opari_thread *t, ompt_wait_id_t id, int change)
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

/* Returns the depth after a change of +1, -1 or 0. */
static OPARI_NOINLINE unsigned opari_nest_depth(struct opari_thread *t, ompt_wait_id_t id,
                                                int change)
{
    if (t->nest_only != 0 && t->nest_only != OPARI_NEST_LISTED)
        (void)opari_nest_listed(t, t->nest_only, 1);
    unsigned depth = opari_nest_listed(t, id, change);
    t->nest_only = t->nest_locks != 0 ? OPARI_NEST_LISTED : 0;
    return depth;
}

OPARI_INLINE unsigned opari_nest_set(struct opari_thread *t, ompt_wait_id_t id)
{
    if (OPARI_UNLIKELY(t->nest_only != 0))
        return opari_nest_depth(t, id, 1);
    t->nest_only = id;
    return 1;
}

OPARI_INLINE unsigned opari_nest_unset(struct opari_thread *t, ompt_wait_id_t id)
{
    if (OPARI_UNLIKELY(t->nest_only != id))
        return opari_nest_depth(t, id, -1);
    t->nest_only = 0;
    return 0;
}
