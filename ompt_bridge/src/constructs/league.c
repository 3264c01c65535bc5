/* league.c: teams on the host: a league of initial tasks. GCC's runtime executes them one after the
 * other on the encountering thread.
 *
 * To the profile teams is a region like any other, so only the user's tools get the begin of a
 * league. The profile ignores the end of a league and its initial tasks.
 */
#include "../core/entries.h"

#include <string.h>

static __attribute__((unused)) struct opari_parallel *
opari_league_begin(struct opari_thread *t, struct ompregdescr *d, unsigned teams, const void *ra,
                   void *frame)
{
    if (!opari_has_fork_room(t))
        return NULL;
    struct opari_parallel *p = opari_parallel_take(t);
    opari_put(t, d, OPARI_AT_FORK, 0, ra)->of.parallel = p;
    memset(p->data, 0, sizeof p->data);
    OPARI_STORE(&p->kept, 0u);
    OPARI_STORE(&p->size, 0);
    p->pending = NULL;
    p->region = d;
    p->parent = t->task;
    p->parent_life = t->task->lives;
    p->flags = (int)(ompt_parallel_invoker_runtime | ompt_parallel_league);
    p->requested = (int)teams;
    opari_set_enter_frame(t->task, frame);
    t->state = ompt_state_overhead;
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (unsigned tool = opari_own_tools; tool < tools; tool++) {
        ompt_callback_parallel_begin_t call = (ompt_callback_parallel_begin_t)OPARI_ACQUIRE(
            &opari_tools.tool[tool].call[ompt_callback_parallel_begin]);
        if (call != NULL)
            call(&t->task->data[tool], &t->task->frame, &p->data[tool], teams, p->flags, ra);
    }
    return p;
}

static __attribute__((unused)) void opari_league_task_begin(struct opari_thread *t,
                                                            struct opari_parallel *p, int teams,
                                                            int index, void *frame)
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
    opari_raise_implicit_task_begin(t, teams);
    opari_set_exit_frame(k, frame);
}

/* The calling initial task, the innermost entry, is at the end of its team. The league's other
 * teams run before and after it on this thread, so it waits for nothing. A league of one team has
 * no barrier. */
static void opari_league_barrier(struct opari_thread *t)
{
    const int kind = ompt_sync_region_barrier_teams;
    const void *ra = t->top[-1].ra; /* the place of the league */
    t->regions.part = 1;
    t->state = ompt_state_overhead;
    opari_raise_sync(t, kind, ompt_scope_begin, ra);
    t->state = opari_dialect == 50 ? ompt_state_wait_barrier_implicit_parallel
                                   : ompt_state_wait_barrier_teams;
    opari_raise_wait(t, kind, ompt_scope_begin, ra);
    opari_raise_last_wait_end(t, kind, ra);
    opari_raise_last_sync_end(t, kind, ra);
    t->regions.part = 0;
}

static __attribute__((unused)) void opari_league_task_end(struct opari_thread *t,
                                                          struct opari_parallel *p)
{
    if (!opari_seek_record(t, OPARI_AT_IMPLICIT, p))
        return;
    opari_clear_exit_frame(t->task);
    if (t->top->detail > 1)
        opari_league_barrier(t);
    opari_implicit_end(t, t->top);
}
