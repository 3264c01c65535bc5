/* taskwait.c: taskwait with depend. To a tool of 5.x it is an empty task that has the dependences,
 * OpenMP 5.2 [15.5]; to the recorders it is a taskwait. One entry stands for both. */
#include "../core/entries.h"

static void opari_taskwait_region(struct opari_thread *t, ompt_scope_endpoint_t at, const void *ra)
{
    for (unsigned tool = 0; tool < opari_own_tools; tool++)
        for (int i = 0; i < 2; i++) {
            const int event = (i == 0) == (at == ompt_scope_begin) ? ompt_callback_sync_region
                                                                   : ompt_callback_sync_region_wait;
            ompt_callback_sync_region_t call =
                (ompt_callback_sync_region_t)OPARI_ACQUIRE(&opari_tools.tool[tool].call[event]);
            if (call != NULL)
                call(ompt_sync_region_taskwait, at, &t->task->parallel->data[tool],
                     &t->task->data[tool], ra);
        }
}

static void opari_taskwait_begin(struct opari_thread *t, struct ompregdescr *d, const void *ra,
                                 void *frame)
{
    struct opari_task *k = opari_task_made(
        t, d, (int)(ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable), frame);
    OPARI_STORE(&k->life, OPARI_TASK_RUNNING); /* so that no cancel discards it */
    t->top->flags = OPARI_ENTRY_TASKWAIT;
    t->top->ra = ra;
    t->top->state = t->state;
    opari_taskwait_region(t, ompt_scope_begin, ra);
    opari_raise_task_create(t, k, 1, ra);
    t->state = ompt_state_wait_taskwait;
}

/* Ends the taskwait, which is the innermost entry. */
static void opari_taskwait_end(struct opari_thread *t)
{
    struct opari_entry *e = t->top;
    opari_clear_enter_frame(t->task);
    t->state = e->state;
    opari_raise_taskwait_done(e->of.task);
    opari_taskwait_region(t, ompt_scope_end, e->ra);
    opari_task_put(t, e->of.task);
    opari_pop(t, e);
}
