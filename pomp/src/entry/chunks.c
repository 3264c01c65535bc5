/* chunks.c: the part of a loop that a thread or a team gets where the program computes the schedule
 * itself.
 */
#include "../state/state.h"

/* With a static schedule without a size, each part gets one chunk. The program computes it as GCC
 * defines it: where the iterations do not divide evenly, the first parts get one more each. */
static ompt_dispatch_chunk_t pomp_share(uint64_t count, uint64_t parts, uint64_t part)
{
    const uint64_t share = count / parts, more = count % parts;
    return (ompt_dispatch_chunk_t){share * part + (part < more ? part : more),
                                   share + (part < more)};
}

static void pomp_raise_share(struct opari_thread *t, ompt_dispatch_t kind,
                             ompt_dispatch_chunk_t chunk)
{
    if (chunk.iterations != 0)
        opari_raise_dispatch(t, kind, (ompt_data_t){.ptr = &chunk});
}

/* Raises the one chunk that a thread gets of the loop that it has just met, if the number of
 * iterations was announced. */
static OPARI_NOINLINE void pomp_static_chunk(struct opari_thread *t)
{
    const struct ompregdescr *d = t->top->region;
    const uint64_t count = t->top->of.count;
    const struct opari_task *k = t->task;
    const int initial =
        (k->flags & ompt_task_initial) != 0; /* the index of a league's task is that of its team */
    const uint64_t threads = initial ? 1 : (uint64_t)OPARI_LOAD(&k->parallel->size),
                   thread = initial ? 0 : (uint64_t)k->index;
    const int plain = d->schedule == POMP_SCHEDULE_NONE || d->schedule == POMP_SCHEDULE_STATIC ||
                      d->schedule == POMP_SCHEDULE_AUTO;
    if (count != 0 && plain && (d->facts & POMP_HAS_ORDERED) == 0 && threads != 0)
        pomp_raise_share(t, ompt_dispatch_ws_loop_chunk, pomp_share(count, threads, thread));
}

/* Returns the part of a distribute that the team of the calling initial task gets; an empty one
 * where that is unknown. */
static ompt_dispatch_chunk_t pomp_team_share(struct opari_thread *t, const struct ompregdescr *d,
                                             uint64_t count)
{
    const struct opari_task *k = t->task;
    if ((d->facts & POMP_HAS_GRAINSIZE) != 0 ||
        (k->parallel->flags & (int)ompt_parallel_league) == 0 ||
        OPARI_LOAD(&k->parallel->size) == 0)
        return (ompt_dispatch_chunk_t){0, 0};
    return pomp_share(count, (uint64_t)OPARI_LOAD(&k->parallel->size), (uint64_t)k->index);
}

static OPARI_NOINLINE void pomp_team_chunk(struct opari_thread *t)
{
    pomp_raise_share(t, ompt_dispatch_distribute_chunk,
                     pomp_team_share(t, t->top->region, t->top->of.count));
}
