/* traced.c: teams and tasks where the trace recorder is the only tool, see core/direct.c.
 *
 * Nobody can then ask for states, frames, sizes and flags, so these functions do not keep them. The
 * rest is as in parallel.c and task.c, because each call may take either way. The caller has
 * ensured that there is room, and that what ends is innermost. It still has to record the
 * operation, which also ends the event.
 */
#include "../core/entries.h"
#include "../trace/trace.h"

/* Does opari_event_enter. */
OPARI_INLINE void opari_enter_traced(struct opari_thread *t)
{
    t->regions.event = NULL; /* opari_finish_traced_inline gets the region */
    OPARI_SIGNAL_FENCE();
}

/* Does opari_put. */
OPARI_INLINE struct opari_entry *opari_put_traced(struct opari_thread *t, struct ompregdescr *d,
                                                  int what)
{
    struct opari_entry *e = t->top + 1;
    e->region = d;
    e->what = (short)what;
    e->flags = 0;
    e->detail = 0;
    t->top = e;
    return e;
}

OPARI_INLINE struct opari_task *opari_task_take_traced(struct opari_thread *t)
{
    struct opari_task *k = t->free_tasks;
    t->free_tasks = k->next;
    return k;
}

/* team comes from trc_team. */
OPARI_INLINE struct opari_parallel *opari_fork_traced(struct opari_thread *t, struct ompregdescr *d,
                                                      uint64_t team)
{
    struct opari_parallel *p = opari_parallel_take(t);
    opari_put_traced(t, d, OPARI_AT_FORK)->of.parallel = p;
    p->data[0].value = team;
    p->region = d;
    p->parent = t->task; /* pending is null in a free record */
    p->made = t->made;
    OPARI_HANDS_OVER(p);
    return p;
}

/* Whether the thread's latest fork is that of p, and has been recorded. */
OPARI_INLINE int opari_is_fork_traced(const struct opari_thread *t, const struct opari_parallel *p)
{
    return opari_is_record(t->top, OPARI_AT_FORK, p) && p->data[0].value != 0;
}

/* Begins the implicit task of such a thread. The function asks for the team's size last, so that it
 * keeps no value across that call. */
OPARI_INLINE void opari_implicit_begin_traced(struct opari_thread *t, struct ompregdescr *d,
                                              struct opari_parallel *p)
{
    struct opari_task *k = opari_task_take_traced(t);
    opari_put_traced(t, d, OPARI_AT_IMPLICIT)->of.task = k;
    k->data[0].value = p->data[0].value;
    k->region = d;
    k->parallel = p;
    k->below = t->task;
    k->flags = ompt_task_implicit | ompt_task_undeferred;
    k->makes_plain = 1;
    k->index = 0;
    t->task = k;
    OPARI_HANDS_OVER(p);
    const int size = opari_team_size();
    opari_self->top->detail = size;
}

OPARI_INLINE void opari_implicit_over_traced(struct opari_thread *t)
{
    struct opari_task *k = t->task;
    OPARI_HANDS_OVER(k->parallel);
    t->task = k->below;
    t->top--;
    k->next = t->free_tasks;
    t->free_tasks = k;
}

/* Returns the team that the region's data held. */
OPARI_INLINE uint64_t opari_join_traced(struct opari_thread *t, struct opari_parallel *p)
{
    OPARI_TAKES_OVER(p);
    t->top--;
    p->next = t->free_parallels;
    t->free_parallels = p;
    return p->data[0].value;
}

OPARI_INLINE struct opari_task *opari_task_create_traced(struct opari_thread *t,
                                                         struct ompregdescr *d)
{
    struct opari_task *k = opari_task_take_traced(t);
    opari_put_traced(t, d, OPARI_AT_CREATE)->of.task = k;
    trc_task_made(&t->task->data[0], &k->data[0]);
    k->region = d;
    k->parallel = t->task->parallel;
    k->flags = ompt_task_explicit;
    k->makes_plain = 0;
    t->made++;
    OPARI_RELEASE(&k->life, OPARI_TASK_CREATED);
    OPARI_HANDS_OVER(k);
    return k;
}

OPARI_INLINE void opari_task_begin_traced(struct opari_thread *t, struct ompregdescr *d,
                                          struct opari_task *k)
{
    OPARI_TAKES_OVER(k);
    opari_put_traced(t, d, OPARI_AT_TASK)->of.task = k;
    OPARI_STORE(&k->below, t->task);
    OPARI_STORE(&k->life, OPARI_TASK_RUNNING);
    t->task = k;
    OPARI_HANDS_OVER(k->parallel);
}

OPARI_INLINE void opari_task_end_traced(struct opari_thread *t, struct opari_task *k)
{
    OPARI_HANDS_OVER(k->parallel);
    t->task = k->below;
    t->top--;
    if (OPARI_UNLIKELY(k->owner != t)) {
        opari_task_put_away(t, k);
        return;
    }
    k->next = t->free_tasks;
    t->free_tasks = k;
}
