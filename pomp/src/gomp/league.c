/* league.c: teams on the host: see barriers.c. A league's teams, and the parallel region within distribute parallel for. */
#include "../pomp_lib.h"

struct pomp_league {
    void (*fn)(void *);
    void *data;
    struct opari_parallel *parallel;
    struct ompregdescr *region;
};

extern int omp_get_num_teams(void) __attribute__((weak));
extern int omp_get_max_teams(void) __attribute__((weak));

static void pomp_league_run(void *argument)
{
    const struct pomp_league *league = argument;
    struct opari_thread *t = opari_event_begin(league->region);
    if (t != NULL) {
        opari_league_task_begin(t, league->parallel, omp_get_num_teams != NULL ? omp_get_num_teams() : 1,
                                omp_get_team_num != NULL ? omp_get_team_num() : 0, POMP_OWN_FRAME);
        opari_event_end();
    }
    league->fn(league->data);
    t = opari_event_begin(league->region);
    if (t != NULL) {
        opari_league_task_end(t, league->parallel);
        opari_event_end();
    }
}

typedef void (*pomp_GOMP_teams_reg_t)(void (*)(void *), void *, unsigned, unsigned, unsigned);
POMP_GOMP void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned threads, unsigned flags);
POMP_GOMP void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned threads, unsigned flags)
{
    POMP_NEXT(GOMP_teams_reg);
    struct pomp_league league = {fn, data, NULL, NULL};
    struct opari_thread *t = pomp_listening();
    if (t != NULL) {
        league.region = t->top->region;
        unsigned most = omp_get_max_teams != NULL ? (unsigned)omp_get_max_teams() : 0;
        if (t->top->what == OPARI_AT_REGION && league.region != NULL && league.region->kind == POMP_KIND_TEAMS)
            league.parallel = opari_league_begin(t, league.region, teams != 0 ? teams : most, POMP_CALLER, POMP_FRAME);
        opari_event_end();
    }
    if (OPARI_LIKELY(league.parallel == NULL)) {
        next(fn, data, teams, threads, flags);
        return;
    }
    next(pomp_league_run, &league, teams, threads, flags);
    t = opari_event_begin(league.region);
    if (t != NULL) {
        opari_parallel_join(t, league.region, league.parallel);
        opari_event_end();
    }
}

/* distribute parallel for is composite: a team makes a parallel region for each of its chunks, and the region is nothing but the loop. No
 * call can stand around either, so the runtime's routine is where both begin and end. The profile knows the construct as distribute: to it
 * these events are parts of that. */
static int pomp_is_composite(const struct opari_entry *e)
{
    return e->what == OPARI_AT_WORK && e->detail == ompt_work_distribute && e->region != NULL && e->region->directive != NULL &&
           strstr(e->region->directive, "parallel") != NULL;
}

static OPARI_COLD int pomp_composite_begin(struct pomp_composite *c, unsigned threads, const void *ra, void *frame)
{
    struct opari_thread *t = pomp_listening();
    if (t == NULL)
        return 0;
    if (pomp_is_composite(t->top)) {
        struct ompregdescr *d = t->top->region;
        const int serial = threads == 1 && (d->facts & (POMP_HAS_IF | POMP_HAS_NUM_THREADS)) == POMP_HAS_IF;
        c->count = pomp_team_share(t, d, t->top->of.count).iterations;
        c->ra = ra;
        t->regions.part = 1;
        if (opari_has_fork_room(t))
            c->parallel = opari_parallel_fork(t, d, !serial, (int)threads, ra, frame);
        if (c->parallel != NULL) {
            pomp_note(c->parallel->data, c->fn);
            opari_parallel_tell(t, c->parallel);
            OPARI_HANDS_OVER(c);
        }
        t->regions.part = 0;
    }
    opari_event_end();
    return c->parallel != NULL;
}

static void pomp_composite_loop(struct opari_thread *t, struct ompregdescr *d, const struct pomp_composite *c)
{
    if (!opari_has_room(t))
        return;
    struct opari_entry *e = opari_put(t, d, OPARI_AT_WORK, pomp_work_type(d, POMP_KIND_FOR), c->ra);
    e->flags = OPARI_ENTRY_PART | OPARI_ENTRY_ACQUIRED;
    e->of.count = c->count;
    opari_fire_work(t, e->detail, ompt_scope_begin, c->count, c->ra);
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
            opari_close_above(t, 0); /* what another region has left to this event is no part of this one */
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
        opari_fire_work(t, t->top->detail, ompt_scope_end, 0, c->ra);
        opari_pop(t, t->top);
    }
    opari_parallel_end(t, d, c->parallel, c->ra);
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

static uint64_t pomp_iterations(long begin, long end, long step)
{
    const uint64_t by = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    if (step == 0 || (step > 0 ? begin >= end : begin <= end))
        return 0;
    const uint64_t span = step > 0 ? (uint64_t)end - (uint64_t)begin : (uint64_t)begin - (uint64_t)end;
    return span / by + (span % by != 0);
}

/* Where the runtime deals out the loop it is told of the loop as it makes the region: that of a composite construct, or of parallel for
 * where it was left whole. */
#define POMP_MAKES(name, form)                                                                                                 \
    typedef void (*pomp_##name##_t)(POMP_##form##_PARAMETERS);                                                                 \
    POMP_GOMP void name(POMP_##form##_PARAMETERS);                                                                             \
    POMP_GOMP void name(POMP_##form##_PARAMETERS)                                                                              \
    {                                                                                                                          \
        POMP_NEXT(name);                                                                                                       \
        struct pomp_composite c = {fn, data, NULL, NULL, 0, begin, step};                                                      \
        struct pomp_silent s = {fn, data};                                                                                     \
        if (OPARI_UNLIKELY(opari_is_silent())) {                                                                               \
            next(pomp_silent_run, &s, POMP_##form##_ARGUMENTS);                                                                \
        } else if (OPARI_LIKELY(!pomp_hands_over())) {                                                                                \
            next(fn, data, POMP_##form##_ARGUMENTS);                                                                           \
        } else if (pomp_has_forked()) {                                                                                        \
            struct opari_parallel *p = pomp_team_begin(fn, data, threads, POMP_FRAME);                                         \
            next(pomp_team_run, p, POMP_##form##_ARGUMENTS);                                                                   \
        } else if (pomp_composite_begin(&c, threads, POMP_CALLER, POMP_FRAME)) {                                               \
            c.count = pomp_iterations(begin, end, step);                                                                       \
            next(pomp_composite_run, &c, POMP_##form##_ARGUMENTS);                                                             \
            pomp_composite_end(&c);                                                                                            \
        } else {                                                                                                               \
            next(fn, data, POMP_##form##_ARGUMENTS);                                                                           \
        }                                                                                                                      \
    }

#define POMP_dealt_PARAMETERS \
    void (*fn)(void *), void *data, unsigned threads, long begin, long end, \
    long step, long size, unsigned flags
#define POMP_dealt_ARGUMENTS threads, begin, end, step, size, flags
POMP_MAKES(GOMP_parallel_loop_static, dealt)
POMP_MAKES(GOMP_parallel_loop_dynamic, dealt)
POMP_MAKES(GOMP_parallel_loop_guided, dealt)
POMP_MAKES(GOMP_parallel_loop_nonmonotonic_dynamic, dealt)
POMP_MAKES(GOMP_parallel_loop_nonmonotonic_guided, dealt)

#define POMP_as_set_PARAMETERS void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step, unsigned flags
#define POMP_as_set_ARGUMENTS threads, begin, end, step, flags
POMP_MAKES(GOMP_parallel_loop_runtime, as_set)
POMP_MAKES(GOMP_parallel_loop_nonmonotonic_runtime, as_set)
POMP_MAKES(GOMP_parallel_loop_maybe_nonmonotonic_runtime, as_set)
