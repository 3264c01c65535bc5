/* traced.c: the entry points of instances.c where the trace recorder is the only tool. Those jump
 * here with their own arguments. Unusual states take the general path; no observer needs code
 * pointers or frames there. See ompt_bridge/src/constructs/traced.c.
 */
#include "../state/state.h"

POMP_OUT_OF_LINE void *pomp_traced_fork(struct ompregdescr *d, int if_value, int threads)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit || t->free_parallels == NULL))
        return pomp_observed_fork(d, if_value, threads);
    const uint64_t team = trc_team(&t->task->data[0]);
    if (OPARI_UNLIKELY(team == 0))
        return pomp_observed_fork(d, if_value, threads);
    opari_enter_traced(t);
    return opari_finish_traced_inline(d, TRC_PARALLEL << 1, opari_fork_traced(t, d, team), 0, 0);
}

POMP_OUT_OF_LINE void pomp_traced_begin(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL) || !opari_is_fork_traced(t, handle) ||
        OPARI_UNLIKELY((((struct opari_parallel *)handle)->data[0].value & TRC_TEAM_KNOWN) != 0 ||
                       (d->facts & POMP_HAS_COPY) != 0 || t->top == t->limit ||
                       t->free_tasks == NULL)) {
        pomp_parallel_begin_slow(d, handle);
        return;
    }
    opari_event_enter(t, d);
    opari_implicit_begin_traced(t, d, handle);
    (void)opari_finish_traced_inline(opari_self->regions.event,
                                     TRC_AT(TRC_IMPLICIT, ompt_scope_begin), NULL, 0, 0);
}

POMP_OUT_OF_LINE void pomp_traced_end(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL) || !opari_parallel_ends_plain(t, handle)) {
        pomp_parallel_end_slow(d, handle);
        return;
    }
    opari_enter_traced(t);
    opari_implicit_over_traced(t);
    (void)opari_finish_traced_inline(d, TRC_AT(TRC_IMPLICIT, ompt_scope_end), NULL, 0, 0);
}

POMP_OUT_OF_LINE void pomp_traced_join(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || OPARI_LOAD(&opari_cancels)) ||
        !opari_is_fork_traced(t, handle)) {
        pomp_parallel_join_slow(d, handle);
        return;
    }
    opari_enter_traced(t);
    const uint64_t team = opari_join_traced(t, handle);
    (void)opari_finish_traced_inline(d, TRC_PARALLEL << 1 | 1, NULL, 1, team);
}

POMP_OUT_OF_LINE void *pomp_traced_create(struct ompregdescr *d)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit || t->free_tasks == NULL))
        return pomp_unready_task(d, 1);
    opari_enter_traced(t);
    return opari_finish_traced_inline(d, TRC_AT(TRC_CREATE, ompt_scope_begin),
                                      opari_task_create_traced(t, d), 0, 0);
}

POMP_OUT_OF_LINE void pomp_traced_created(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || !OPARI_LOAD(&opari_trace_only)) ||
        !opari_is_record(t->top, OPARI_AT_CREATE, handle)) {
        pomp_create_end_slow(d, handle);
        return;
    }
    opari_enter_traced(t);
    t->top--;
    (void)opari_finish_traced_inline(d, TRC_AT(TRC_CREATE, ompt_scope_end), NULL, 0, 0);
}

POMP_OUT_OF_LINE void pomp_traced_task(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit ||
                       t->top->what >= OPARI_AT_REGION)) { /* cancel, taskyield */
        pomp_task_begin_slow(d, handle, NULL);
        return;
    }
    opari_enter_traced(t);
    opari_task_begin_traced(t, d, handle);
    (void)opari_finish_traced_inline(d, TRC_AT(TRC_TASK, ompt_scope_begin), NULL, 0, 0);
}

POMP_OUT_OF_LINE void pomp_traced_task_end(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    struct opari_task *k = handle;
    if (OPARI_UNLIKELY(t == NULL) || !opari_task_ends_plain(t, k)) {
        pomp_task_end_slow(d, handle);
        return;
    }
    opari_enter_traced(t);
    opari_task_end_traced(t, k);
    (void)opari_finish_traced_inline(d, TRC_AT(TRC_TASK, ompt_scope_end), NULL, 0, 0);
}
