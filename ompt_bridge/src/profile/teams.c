/* teams.c: the profile's parallel regions: instances, and the waiting at their ends.
 *
 * Every thread of a team has a slot in the instance, a cache line of its own. Where no explicit
 * barrier shows the waiting at the end of the region, each thread stores the time of its arrival
 * there. After the join the encountering thread knows that all have arrived and have executed their
 * tasks. It then adds to each other thread's node how long that one waited.
 *
 * That sum (`joined`) is the only field of a node that other threads write. They do so atomically,
 * and its owner never writes it.
 */
#include "profile.h"

static struct rec_team *rec_team_get(struct rec_thread *r, unsigned requested)
{
    unsigned size_class = 0;
    while (size_class < REC_TEAM_CLASSES - 1 && (1u << size_class) < requested)
        size_class++;
    struct rec_team *team = r->free_teams[size_class];
    if (OPARI_LIKELY(team != NULL)) {
        r->free_teams[size_class] = team->next;
    } else {
        team = opari_memory(sizeof *team);
        if (team == NULL)
            return NULL;
        team->size_class = size_class;
        team->slots = opari_memory(sizeof *team->slots << size_class);
    }
    team->docked = 0;
    team->size = 0;
    return team;
}

static void rec_on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame,
                                  ompt_data_t *parallel, unsigned requested, int flags,
                                  const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)task, (void)frame, (void)flags, (void)ra;
    if (OPARI_UNLIKELY(r != NULL && r->regions->part))
        return;
    struct rec_team *team = r != NULL ? rec_team_get(r, requested) : NULL;
    parallel->ptr = team;
    if (OPARI_UNLIKELY(team == NULL))
        return;
    struct rec_frame *f = rec_push(r, REC_PARALLEL, 0);
    if (OPARI_UNLIKELY(f == NULL)) {
        team->next = r->free_teams[team->size_class];
        r->free_teams[team->size_class] = team;
        parallel->ptr = NULL;
        return;
    }
    f->team = team;
    f->node->active++;
    team->origin = f->node;
}

/* Computes how long each thread of the team waited. All of them have arrived. */
static void rec_settle(struct rec_team *team, struct rec_node *mine)
{
    uint64_t complete = 0;
    for (unsigned i = 0; i < team->size; i++) {
        uint64_t last =
            OPARI_ACQUIRE(&team->slots[i].arrival) != 0 ? OPARI_ACQUIRE(&team->slots[i].last) : 0;
        if (last > complete)
            complete = last;
    }
    for (unsigned i = 0; i < team->size; i++) {
        struct rec_slot *s = &team->slots[i];
        uint64_t arrival = OPARI_ACQUIRE(&s->arrival);
        if (arrival == 0)
            continue; /* the thread left by cancellation */
        uint64_t waited = rec_less(rec_less(complete, arrival), OPARI_LOAD(&s->busy));
        if (s->node == mine)
            REC_ADD(mine->barrier, waited);
        else
            (void)__atomic_fetch_add(&s->node->joined, waited, __ATOMIC_RELAXED);
        OPARI_STORE(&s->arrival, 0u);
    }
}

static void rec_on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *ra)
{
    struct rec_thread *r = rec_self;
    struct rec_team *team = parallel->ptr;
    (void)task, (void)flags, (void)ra;
    if (OPARI_UNLIKELY(r == NULL || team == NULL))
        return;
    struct rec_frame *f = r->top;
    if (OPARI_UNLIKELY(f->type != REC_PARALLEL || f->team != team))
        return;
    struct rec_node *n = f->node;
    (void)rec_close(r, f, rec_stamp(r));
    if (r->regions->forced)
        return; /* its threads may still be in the region */
    OPARI_RELEASE(&team->instance, team->instance + 1);
    if (team->docked)
        rec_settle(team, n);
    team->next = r->free_teams[team->size_class];
    r->free_teams[team->size_class] = team;
}

static void rec_team_begin(struct rec_thread *r, struct rec_team *team, unsigned size,
                           unsigned index)
{
    int master = r->top->type == REC_PARALLEL && r->top->team == team;
    struct rec_node *node = master || team == NULL
                                ? rec_node(r)
                                : rec_below(r, &r->unknown, (uintptr_t)team->origin, 0);
    struct rec_frame *f = rec_push_node(r, REC_TEAM, 0, node);
    if (OPARI_UNLIKELY(f == NULL))
        return;
    f->home = r->home;
    r->home = node;
    int room = team != NULL && team->slots != NULL && index < 1u << team->size_class;
    f->team = team;
    f->instance = team != NULL ? OPARI_LOAD(&team->instance) : 0;
    f->slot = room && size > 1 ? &team->slots[index] : NULL;
    f->master = master;
    if (master)
        team->size = team->slots == NULL             ? 0
                     : size < 1u << team->size_class ? size
                                                     : 1u << team->size_class;
    else
        f->node->active++;
}

static void rec_team_end(struct rec_thread *r)
{
    struct rec_frame *f = r->top;
    if (OPARI_UNLIKELY(f->type != REC_TEAM))
        return;
    uint64_t now = rec_stamp(r), dur = rec_less(now, f->start);
    if (f->mid == 0) {
        REC_ADD(f->node->body, rec_less(dur, f->own));
        if (!f->master) {
            f->node->active--;
            rec_account(f->node, dur, rec_less(dur, f->child));
        }
    }
    r->home = f->home;
    if (f->master)
        REC_ADD(f[-1].child, f->child);
    OPARI_STORE(&r->top, f - 1);
}

static void rec_on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                                 unsigned size, unsigned index, int flags)
{
    struct rec_thread *r = rec_self;
    (void)task;
    if (OPARI_UNLIKELY(r == NULL || (flags & ompt_task_initial) != 0))
        return;
    if (at == ompt_scope_begin && OPARI_UNLIKELY(r->regions->part))
        return;
    if (at == ompt_scope_begin)
        rec_team_begin(r, parallel->ptr, size, index);
    else
        rec_team_end(r);
}
