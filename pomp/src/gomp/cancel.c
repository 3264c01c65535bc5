/* cancel.c: cancellation, as the runtime reports it; see interposed.c. */
#include "../state/state.h"

/* Handles a cancellation: the runtime's result says whether the thread has to leave. Its numbers
 * are parallel 1, loop 2, sections 4, taskgroup 8. A directive that is not instrumented, as in
 * target, may cancel an unknown region inside a known one. */
static void pomp_cancelled(int which, int how, const void *ra)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    if (t->top->what != OPARI_AT_CANCEL) {
        opari_event_end();
        return;
    }
    int flags = which & 1   ? ompt_cancel_parallel
                : which & 2 ? ompt_cancel_loop
                : which & 4 ? ompt_cancel_sections
                            : ompt_cancel_taskgroup;
    opari_raise_cancel(t->task, flags | how, ra);
    /* The exit of the directive is not reached. A thread that leaves a parallel region is at its
     * end, and a task that is left is over. */
    struct opari_entry *e = t->top;
    while (e->what > OPARI_AT_TASK)
        e--;
    if (flags == ompt_cancel_parallel && e->what == OPARI_AT_IMPLICIT)
        opari_parallel_end(t, e->region, e->of.task->parallel);
    else if (flags == ompt_cancel_taskgroup && e->what == OPARI_AT_TASK)
        opari_close_now(t, e - t->stack - 1);
    else if (flags != ompt_cancel_taskgroup) {
        opari_raise_region(t, ompt_scope_end, opari_region_work, NULL, ra);
        opari_drop_top();
    }
    opari_event_end();
}

typedef _Bool (*pomp_GOMP_cancel_t)(int, _Bool);
POMP_GOMP _Bool GOMP_cancel(int which, _Bool cancel);
POMP_GOMP _Bool GOMP_cancel(int which, _Bool cancel)
{
    POMP_NEXT(GOMP_cancel);
    _Bool leaves = next(which, cancel);
    if (leaves)
        pomp_cancelled(which, cancel ? ompt_cancel_activated : ompt_cancel_detected, POMP_CALLER);
    return leaves;
}

typedef _Bool (*pomp_GOMP_cancellation_point_t)(int);
POMP_GOMP _Bool GOMP_cancellation_point(int which);
POMP_GOMP _Bool GOMP_cancellation_point(int which)
{
    POMP_NEXT(GOMP_cancellation_point);
    _Bool leaves = next(which);
    if (leaves)
        pomp_cancelled(which, ompt_cancel_detected, POMP_CALLER);
    return leaves;
}
