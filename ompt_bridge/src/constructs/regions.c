/* regions.c: plain regions, and the block that one thread of a team executes. The caller ensures
 * what worksharing.c demands of it.
 *
 * A single whose calls are merged (POMP_MERGES) has no entry. Its block has one, on the thread that
 * executes it.
 */
#include "../core/entries.h"

/* A region for which OpenMP has no events. what: OPARI_AT_REGION, _SECTION, _SINGLE, _CANCEL,
 * _USER. */
OPARI_INLINE unsigned opari_region_enter(struct opari_thread *t, struct ompregdescr *d, int what,
                                         int region_class, int state, const void *user,
                                         const void *ra)
{
    (void)opari_put(t, d, what, region_class, ra);
    if (state >= 0)
        t->state = state;
    return opari_direct_region(
        TRC_AT(region_class == opari_region_wait ? TRC_WAIT : TRC_REGION, ompt_scope_begin), t,
        ompt_scope_begin, region_class, user, ra);
}

OPARI_INLINE unsigned opari_region_exit(struct opari_thread *t, int region_class, const void *user,
                                        const void *ra)
{
    const unsigned operation = opari_direct_region(
        TRC_AT(region_class == opari_region_wait ? TRC_WAIT : TRC_REGION, ompt_scope_end), t,
        ompt_scope_end, region_class, user, ra);
    if (region_class == opari_region_wait)
        opari_pop_top();
    else
        opari_drop_top();
    return operation;
}

OPARI_INLINE void opari_raise_single_other(struct opari_thread *t, const void *ra)
{
    opari_raise_work(t, ompt_work_single_other, ompt_scope_begin, 1, ra);
    opari_raise_work(opari_self, ompt_work_single_other, ompt_scope_end, 1, ra);
}

/* single: the executor's work is its block. The other threads are reported when they wait or
 * leave. */
OPARI_INLINE void opari_single_other(struct opari_thread *t, struct opari_entry *e, const void *ra)
{
    if (e->flags & OPARI_ENTRY_ACQUIRED)
        return;
    e->flags |= OPARI_ENTRY_ACQUIRED;
    opari_raise_single_other(t, ra);
}

OPARI_INLINE unsigned opari_single_begin(struct opari_thread *t, const void *ra)
{
    struct opari_entry *e = t->top;
    e->what = OPARI_AT_SINGLE_BODY;
    e->ra = ra;
    return opari_direct_work(TRC_AT(TRC_BODY, ompt_scope_begin), t, ompt_work_single_executor,
                             ompt_scope_begin, 1, ra);
}

OPARI_INLINE unsigned opari_single_end(struct opari_thread *t, const void *ra)
{
    const unsigned operation = opari_direct_work(TRC_AT(TRC_BODY, ompt_scope_end), t,
                                                 ompt_work_single_executor, ompt_scope_end, 1, ra);
    struct opari_entry *e = opari_self->top;
    e->what = OPARI_AT_SINGLE;
    e->flags = OPARI_ENTRY_ACQUIRED;
    return operation;
}

OPARI_INLINE unsigned opari_single_exit(struct opari_thread *t, const void *ra)
{
    opari_single_other(t, t->top, ra);
    return opari_region_exit(opari_self, opari_region_work, NULL, ra);
}
