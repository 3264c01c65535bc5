/* instances.c: the entry points of parallel regions and tasks, whose calls carry a handle. As in
 * events.c, they jump to other functions in unusual states.
 */
#include "../state/state.h"

POMP_OFTEN OPARI_TEAM void *POMP_Parallel_fork(struct ompregdescr *d, int if_value, int num_threads)
{
#ifdef POMP_INTERPOSE
    /* For a region that is known to go through GOMP_parallel, that routine raises all events except
     * the end. */
    if (OPARI_LIKELY(if_value == (1 | POMP_MERGES | POMP_MERGES_TEAMS) &&
                     POMP_IS_MERGED(OPARI_LOAD(&d->data[2])))) {
        struct opari_thread *t = opari_here;
        if (OPARI_LIKELY(opari_is_ready(t))) {
            t->ahead = d;
            return POMP_MERGED;
        }
    }
#endif
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only)))
        return pomp_traced_fork(d, if_value, num_threads);
    return pomp_observed_fork(d, if_value, num_threads);
}

POMP_OFTEN void POMP_Parallel_begin(struct ompregdescr *d, void *handle)
{
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only))) {
        pomp_traced_begin(d, handle);
        return;
    }
    const struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || (d->facts & POMP_HAS_COPY) != 0) ||
        !opari_parallel_has_begun(t, handle))
        pomp_parallel_begin_slow(d, handle);
}

POMP_OFTEN void POMP_Parallel_end(struct ompregdescr *d, void *handle)
{
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only))) {
        pomp_traced_end(d, handle);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || !opari_parallel_ends_plain(t, handle))) {
        pomp_parallel_end_slow(d, handle);
        return;
    }
    opari_event_enter(t, d);
    opari_clear_exit_frame(t->task);
    opari_first_over(t);
    opari_event_end();
}

#ifdef POMP_INTERPOSE
/* Ends a merged region, if the thread began it as one. */
static OPARI_COLD void pomp_merged_join_slow(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    const struct opari_entry *e = t->top;
    t->ahead = NULL;
    while (e->what > OPARI_AT_IMPLICIT ||
           (e->what == OPARI_AT_IMPLICIT && (e->flags & OPARI_ENTRY_DOCKED) != 0))
        e--;
    if (e->what == OPARI_AT_FORK && (e->flags & OPARI_ENTRY_MERGED) != 0 && e->region == d)
        opari_parallel_join(t, d, e->of.parallel);
    opari_event_end();
}

/* Ends a merged region whose encountering thread arrived at the team's barrier and did not wait. */
static OPARI_NOINLINE OPARI_TEAM void pomp_merged_join_docked(struct ompregdescr *d)
{
    struct opari_thread *t = opari_self;
    opari_event_enter(t, d);
    OPARI_TAKES_OVER(t->task->parallel);
    opari_implicit_end(t, t->top);
    t = opari_self;
    pomp_team_barrier_learn(d, t->top->of.parallel);
    opari_merged_over(t);
    opari_event_end();
}

OPARI_INLINE int pomp_is_merged_fork(const struct opari_entry *e, const struct ompregdescr *d)
{
    return e->what == OPARI_AT_FORK && e->flags == OPARI_ENTRY_MERGED && e->region == d;
}

static OPARI_NOINLINE OPARI_TEAM void pomp_merged_join(struct ompregdescr *d)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || OPARI_LOAD(&opari_cancels))) {
        pomp_merged_join_slow(d);
    } else if (OPARI_LIKELY(pomp_is_merged_fork(t->top, d))) {
        opari_event_enter(t, d);
        OPARI_TAKES_OVER(t->top->of.parallel);
        opari_merged_over(t);
        opari_event_end();
    } else if (OPARI_LIKELY(t->top->what == OPARI_AT_IMPLICIT &&
                            t->top->flags == OPARI_ENTRY_DOCKED &&
                            pomp_is_merged_fork(t->top - 1, d))) {
        pomp_merged_join_docked(d);
    } else {
        pomp_merged_join_slow(d);
    }
}
#endif

POMP_OFTEN OPARI_TEAM void POMP_Parallel_join(struct ompregdescr *d, void *handle)
{
#ifdef POMP_INTERPOSE
    if (OPARI_LIKELY(handle == POMP_MERGED)) {
        pomp_merged_join(d);
        return;
    }
#endif
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only))) {
        pomp_traced_join(d, handle);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || OPARI_LOAD(&opari_cancels)) ||
        !opari_parallel_is_own(t, handle)) {
        pomp_parallel_join_slow(d, handle);
        return;
    }
    OPARI_TAKES_OVER((struct opari_parallel *)handle);
    opari_event_enter(t, d);
    opari_parallel_over(t, handle);
    opari_event_end();
}

POMP_API void *POMP_Task_create_begin(struct ompregdescr *d, int if_value)
{
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_trace_only_tasks)))
        return pomp_traced_create(d);
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit || t->free_tasks == NULL))
        return pomp_unready_task(d, if_value);
    opari_event_enter(t, d);
    void *handle = pomp_create(t, d, if_value, POMP_CALLER, POMP_FRAME);
    opari_event_end();
    return handle;
}

POMP_OFTEN struct pomp_made POMP_Task_create(struct ompregdescr *d, int if_value)
{
    const ompt_callback_task_create_t create =
        (ompt_callback_task_create_t)OPARI_ACQUIRE(&opari_tools.plain[ompt_callback_task_create]);
    struct opari_thread *t = opari_here;
    if (OPARI_UNLIKELY(create == NULL || !if_value || !opari_is_ready(t) || t->free_tasks == NULL ||
                       !t->task->makes_plain ||
                       (d->facts & (POMP_HAS_DEPEND | POMP_HAS_DETACH | POMP_HAS_UNTIED)) != 0))
        return pomp_create_slow(d, if_value);
    opari_event_enter(t, d);
    struct opari_task *k = opari_task_create_plain(t, create, POMP_CALLER, POMP_FRAME);
    t = opari_self;
    void **entered = &t->task->frame.enter_frame.ptr;
    OPARI_SIGNAL_FENCE();
    t->regions.event = OPARI_READY;
    return (struct pomp_made){k, entered};
}

POMP_OFTEN void POMP_Task_create_end(struct ompregdescr *d, void *handle)
{
    if (OPARI_UNLIKELY(opari_has_callback(OPARI_EVENT_CREATED))) {
        pomp_traced_created(d, handle);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || !opari_is_record(t->top, OPARI_AT_CREATE, handle))) {
        pomp_create_end_slow(d, handle);
        return;
    }
    opari_event_enter(t, d); /* no event, but a signal handler might move the stack */
    opari_task_create_end(t);
    OPARI_SIGNAL_FENCE();
    t->regions.event = OPARI_READY;
}

/* Handles an event that only the trace recorder gets, or nobody. */
static OPARI_NOINLINE void pomp_task_begin_without_tool(struct ompregdescr *d, void *handle)
{
    if (OPARI_LOAD(&opari_trace_only_tasks))
        pomp_traced_task(d, handle);
    else
        pomp_task_begin_slow(d, handle, POMP_FRAME);
}

POMP_OFTEN void POMP_Task_begin(struct ompregdescr *d, void *handle)
{
    const ompt_callback_task_schedule_t schedule = (ompt_callback_task_schedule_t)OPARI_ACQUIRE(
        &opari_tools.plain[ompt_callback_task_schedule]);
    if (OPARI_UNLIKELY(schedule == NULL)) {
        pomp_task_begin_without_tool(d, handle);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit ||
                       t->top->what >= OPARI_AT_REGION)) { /* cancel, taskyield */
        pomp_task_begin_slow(d, handle, POMP_FRAME);
        return;
    }
    opari_event_enter(t, d);
    opari_task_switch(t, d, handle, ompt_task_switch, POMP_FRAME, schedule);
    opari_event_end();
}

static OPARI_NOINLINE void pomp_task_end_without_tool(struct ompregdescr *d, void *handle)
{
    if (OPARI_LOAD(&opari_trace_only))
        pomp_traced_task_end(d, handle);
    else
        pomp_task_end_slow(d, handle);
}

POMP_OFTEN void POMP_Task_end(struct ompregdescr *d, void *handle)
{
    const ompt_callback_task_schedule_t schedule = (ompt_callback_task_schedule_t)OPARI_ACQUIRE(
        &opari_tools.plain[ompt_callback_task_schedule]);
    if (OPARI_UNLIKELY(schedule == NULL)) {
        pomp_task_end_without_tool(d, handle);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || !opari_task_ends_plain(t, handle))) {
        pomp_task_end_slow(d, handle);
        return;
    }
    opari_event_enter(t, d);
    OPARI_HANDS_OVER(((struct opari_task *)handle)->parallel);
    opari_task_end_plain(handle, schedule);
    opari_event_end();
}
