/* teams.c: the profile's parallel regions: instances, and the waiting at their ends.
 *
 * Where no explicit barrier shows the waiting at the end of the region, a thread notes when it
 * arrived there. At the join the encountering thread knows that all have arrived and have executed
 * their tasks, and publishes the time in the team's record. Each thread learns at its next event
 * that the region is over, and adds its own waiting. So the cost of the region's end does not grow
 * with the team, and no thread writes what another one writes.
 *
 * A thread may miss later regions of the record. The record keeps the ends of several. Where a team
 * becomes smaller, the encountering thread tells those who are left out.
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

/* Returns when the region of a team's frame ended; 0: not yet, or nobody knows any more. */
static uint64_t rec_joined_at(const struct rec_frame *f)
{
    const struct rec_team *team = f->team;
    const unsigned ended = team != NULL ? OPARI_ACQUIRE(&team->instance) - f->instance : 0;
    if (OPARI_UNLIKELY(ended == 0))
        return 0;
    if (OPARI_LIKELY(ended <= REC_JOINS))
        return OPARI_LOAD(&team->joins[f->instance % REC_JOINS]);
    return f->slot != NULL && OPARI_ACQUIRE(&f->slot->told) == f->instance + 1
               ? OPARI_LOAD(&f->slot->joined)
               : 0;
}

/* Returns how long the thread of a team's frame waited until the region's end at joined. */
OPARI_INLINE uint64_t rec_waited(const struct rec_frame *f, uint64_t joined)
{
    return rec_less(rec_less(joined, OPARI_LOAD(&f->mid)), OPARI_LOAD(&f->busy));
}

/* The team has fewer threads than in the record's last region. */
static OPARI_COLD void rec_tell(struct rec_team *team, unsigned size)
{
    const unsigned last = team->instance - 1;
    for (unsigned i = size; i < team->size && team->slots != NULL; i++) {
        OPARI_STORE(&team->slots[i].joined, team->joins[last % REC_JOINS]);
        OPARI_RELEASE(&team->slots[i].told, last + 1);
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
    const uint64_t now = rec_stamp(r);
    (void)rec_close(r, f, now);
    if (r->regions->forced)
        return; /* its threads may still be in the region */
    OPARI_STORE(&team->joins[team->instance % REC_JOINS], now);
    OPARI_RELEASE(&team->instance, team->instance + 1);
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
    if (!master) {
        f->node->active++;
        return;
    }
    size = size < 1u << team->size_class ? size : 1u << team->size_class;
    if (OPARI_UNLIKELY(size < team->size))
        rec_tell(team, size);
    team->size = size;
}

/* Adds time to a node without an instance. */
static void rec_more(struct rec_node *n, uint64_t incl, uint64_t excl)
{
    REC_ADD(n->excl, excl);
    if (n->active == 0)
        REC_ADD(n->incl, incl);
}

/* The thread has waited at the end of the region of frame f, and knows now that it is over. A
 * thread that ends may know that before the encountering thread does. */
static void rec_join(const struct rec_thread *r, struct rec_frame *f, uint64_t now)
{
    struct rec_node *n = f->node, *waits = f->waits;
    uint64_t joined = f->master ? now : rec_joined_at(f);
    if (OPARI_UNLIKELY(joined == 0) && r->regions->forced == opari_leaves_now)
        joined = now;
    const uint64_t waited = rec_waited(f, joined);
    REC_ADD(waits->barrier, waited);
    if (waits != n) {
        rec_more(waits, waited, waited);
        REC_ADD(n->body, waited);
        REC_ADD(f->child, waited);
    }
    if (!f->master) /* else the time is that of the fork's frame */
        rec_more(n, waited, waits == n ? waited : 0);
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
    } else {
        rec_join(r, f, now);
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
