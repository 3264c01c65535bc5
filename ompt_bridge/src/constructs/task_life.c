/* task_life.c: explicit tasks from their creation until they begin, or until a cancel discards
 * them. */
#include "../core/entries.h"

OPARI_INLINE struct opari_task *opari_task_made(struct opari_thread *t, struct ompregdescr *d,
                                                int flags, void *frame)
{
    struct opari_task *k = opari_task_take(t);
    opari_put(t, d, OPARI_AT_CREATE, 0, NULL)->of.task = k;
    k->region = d;
    k->parallel = t->task->parallel;
    k->flags =
        (flags & (ompt_task_target | ompt_task_taskwait)) != 0 ? flags : ompt_task_explicit | flags;
    k->makes_plain = 0;
    k->below = t->task;
    k->number = t->made++;
    OPARI_RELEASE(&k->life, OPARI_TASK_CREATED);
    opari_set_enter_frame(t->task, frame);
    return k;
}

/* Takes a task that has not begun and has no unfulfilled event. Returns 0 if k is no such task, or
 * if another thread has taken it. */
static int opari_task_drop(struct opari_task *k)
{
    int created = OPARI_TASK_CREATED;
    return OPARI_LOAD(&k->event) == 0 &&
           __atomic_compare_exchange_n(&k->life, &created, OPARI_TASK_FREE, 0, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/* Tasks that a cancel has discarded never begin. When the thread is outside every team, no task
 * that it created can still wait to run, so it takes back those that never ran. Programs without
 * cancel never search. */
static void opari_tasks_reclaim(struct opari_thread *t)
{
    if (OPARI_LIKELY(!OPARI_LOAD(&opari_cancels)) || t->made_out == t->made)
        return;
    t->made_out = t->made;
    for (struct opari_task *k = t->all_tasks; k != NULL; k = k->older)
        if (opari_task_drop(k))
            opari_task_put(t, k);
}

/* Ends task k, which a cancel has discarded. The profile knows only tasks that have run, so only
 * the user's tools get this event. */
static void opari_task_discarded(struct opari_thread *t, struct opari_task *k,
                                 ompt_cancel_flag_t construct)
{
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (unsigned tool = opari_own_tools; tool < tools; tool++) {
        const ompt_callback_t *call = opari_tools.tool[tool].call;
        ompt_callback_cancel_t cancel =
            (ompt_callback_cancel_t)OPARI_ACQUIRE(&call[ompt_callback_cancel]);
        ompt_callback_task_schedule_t schedule =
            (ompt_callback_task_schedule_t)OPARI_ACQUIRE(&call[ompt_callback_task_schedule]);
        if (cancel != NULL)
            cancel(&k->data[tool], (int)construct | ompt_cancel_discarded_task, NULL);
        if (schedule != NULL)
            schedule(&k->data[tool], ompt_task_cancel, &t->task->data[tool]);
    }
    opari_task_put(t, k);
}

/* Discards the tasks of a taskgroup that is over. Of the tasks that maker has created since number
 * from, those that have not begun never will. */
static OPARI_COLD void opari_tasks_discard(struct opari_thread *t, struct opari_task *maker,
                                           unsigned from)
{
    for (struct opari_task *k = t->all_tasks; k != NULL;
         k = k->older) /* another maker's task may begin meanwhile */
        if (k->number - from < t->made - from && OPARI_LOAD(&k->below) == maker &&
            opari_task_drop(k))
            opari_task_discarded(t, k, ompt_cancel_taskgroup);
}

/* The same for all tasks of team p at its end, whichever thread created them. */
static OPARI_COLD void opari_team_discard(struct opari_thread *t, const struct opari_parallel *p)
{
    for (struct opari_thread *o = opari_thread_all(); o != NULL; o = o->next)
        for (struct opari_task *k = OPARI_ACQUIRE(&o->all_tasks); k != NULL; k = k->older)
            if (OPARI_ACQUIRE(&k->life) == OPARI_TASK_CREATED && k->parallel == p &&
                opari_task_drop(k))
                opari_task_discarded(t, k, ompt_cancel_parallel);
}
