/* composite.c: the parallel region inside distribute parallel for. */
#include "../state/state.h"

/* The parallel region of a composite construct. */
struct pomp_composite {
    void (*fn)(void *);
    void *data;
    struct opari_parallel *parallel;
    const void *ra;
    uint64_t count;    /* iterations of its loop; 0: unknown */
    long origin, step; /* of a loop that the runtime divides into chunks */
};

/* distribute parallel for is composite: a team creates a parallel region for each of its chunks,
 * and the region consists of the loop alone. No call fits around either of them, so the runtime's
 * routine is where both begin and end. The profile knows the construct as distribute and treats
 * these events as parts of it. */
static int pomp_is_composite(const struct opari_entry *e)
{
    return e->what == OPARI_AT_WORK && e->detail == ompt_work_distribute && e->region != NULL &&
           e->region->directive != NULL && strstr(e->region->directive, "parallel") != NULL;
}

static OPARI_COLD int pomp_composite_begin(struct pomp_composite *c, unsigned threads,
                                           const void *ra, void *frame)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return 0;
    if (pomp_is_composite(t->top)) {
        struct ompregdescr *d = t->top->region;
        const int serial =
            threads == 1 && (d->facts & (POMP_HAS_IF | POMP_HAS_NUM_THREADS)) == POMP_HAS_IF;
        c->count = pomp_team_share(t, d, t->top->of.count).iterations;
        c->ra = ra;
        t->regions.part = 1;
        if (opari_has_fork_room(t))
            c->parallel = opari_parallel_fork(t, d, !serial, (int)threads, ra, frame);
        if (c->parallel != NULL) {
            pomp_note(c->parallel->data, c->fn);
            opari_parallel_raise_begin(t, c->parallel);
            OPARI_HANDS_OVER(c);
        }
        t->regions.part = 0;
    }
    opari_event_end();
    return c->parallel != NULL;
}

static void pomp_composite_loop(struct opari_thread *t, struct ompregdescr *d,
                                const struct pomp_composite *c)
{
    if (!opari_has_room(t))
        return;
    struct opari_entry *e = opari_put(t, d, OPARI_AT_WORK, pomp_work_type(d, POMP_KIND_FOR), c->ra);
    e->flags = OPARI_ENTRY_PART | OPARI_ENTRY_ACQUIRED;
    e->of.count = c->count;
    opari_raise_work(t, e->detail, ompt_scope_begin, c->count, c->ra);
    pomp_static_chunk(t);
    t->top->of.loop.origin = (uint64_t)c->origin;
    t->top->of.loop.step = c->step;
}

static void pomp_composite_run(void *argument)
{
    const struct pomp_composite *c = argument;
    OPARI_TAKES_OVER(argument);
    struct ompregdescr *d = c->parallel->region;
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL) {
        if (t->top->what != OPARI_AT_FORK || t->top->of.parallel != c->parallel)
            opari_close_above(
                t, 0); /* entries that another region left open are not part of this one */
        t->regions.part = 1;
        if (opari_has_task_room(t))
            opari_parallel_begin(t, d, c->parallel, POMP_OWN_FRAME);
        if (t->top->what == OPARI_AT_IMPLICIT && t->top->of.task->parallel == c->parallel)
            pomp_composite_loop(t, d, c);
        t->regions.part = 0;
        opari_event_end();
    }
    c->fn(c->data);
    t = opari_event_begin(d);
    if (t == NULL)
        return;
    const int found = opari_seek(t, d, OPARI_AT_WORK);
    t->regions.part = 1;
    if (found && (t->top->flags & OPARI_ENTRY_PART) != 0) {
        opari_raise_work(t, t->top->detail, ompt_scope_end, 0, c->ra);
        opari_pop(t, t->top);
    }
    opari_parallel_end(t, d, c->parallel);
    t->regions.part = 0;
    opari_event_end();
}

static void pomp_composite_end(const struct pomp_composite *c)
{
    struct opari_thread *t = opari_event_begin(c->parallel->region);
    if (t == NULL)
        return;
    t->regions.part = 1;
    opari_parallel_join(t, c->parallel->region, c->parallel);
    t->regions.part = 0;
    opari_event_end();
}
