/* league.c: teams on the host: a league of initial tasks. GCC's runtime executes them one after the other on the encountering thread.
 *
 * For the profile teams is a region like any other, so the begin of a league is told to the user's tools alone; to its end and to
 * initial tasks the profile pays no attention.
 */
#include "bridge.h"

#include <string.h>

static __attribute__((unused)) struct opari_parallel *opari_league_begin(struct opari_thread *t, struct ompregdescr *d, unsigned teams,
                                                                         const void *ra, void *frame)
{
    if (!opari_has_fork_room(t))
        return NULL;
    struct opari_parallel *p = opari_parallel_take(t);
    opari_put(t, d, OPARI_AT_FORK, 0, ra)->of.parallel = p;
    memset(p->data, 0, sizeof p->data);
    OPARI_STORE(&p->kept, 0u);
    OPARI_STORE(&p->size, 0);
    p->untold = NULL;
    p->region = d;
    p->parent = t->task;
    p->parent_life = t->task->lives;
    p->flags = (int)(ompt_parallel_invoker_runtime | ompt_parallel_league);
    p->requested = (int)teams;
    opari_set_enter_frame(t->task, frame);
    t->state = ompt_state_overhead;
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (unsigned tool = opari_own_tools; tool < tools; tool++) {
        ompt_callback_parallel_begin_t call =
            (ompt_callback_parallel_begin_t)OPARI_ACQUIRE(&opari_tools.tool[tool].call[ompt_callback_parallel_begin]);
        if (call != NULL)
            call(&t->task->data[tool], &t->task->frame, &p->data[tool], teams, p->flags, ra);
    }
    return p;
}

static __attribute__((unused)) void opari_league_task_begin(struct opari_thread *t, struct opari_parallel *p, int teams, int index,
                                                            void *frame)
{
    if (!opari_has_task_room(t))
        return;
    struct opari_task *k = opari_task_take(t);
    opari_put(t, p->region, OPARI_AT_IMPLICIT, teams, NULL)->of.task = k;
    p->size = teams;
    k->region = p->region;
    k->parallel = p;
    k->below = t->task;
    k->flags = ompt_task_initial;
    k->makes_plain = 1;
    k->index = index;
    k->life = OPARI_TASK_RUNNING;
    t->task = k;
    t->state = ompt_state_work_parallel;
    opari_fire_implicit_task_begin(t, teams);
    opari_set_exit_frame(k, frame);
}

static __attribute__((unused)) void opari_league_task_end(struct opari_thread *t, struct opari_parallel *p)
{
    if (opari_seek_record(t, OPARI_AT_IMPLICIT, p))
        opari_implicit_end(t, t->top);
}
