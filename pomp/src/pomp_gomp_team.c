/* pomp_gomp_team.c: where teams begin and end: see pomp_gomp.c. */
#include "pomp_lib.h"

/* Parallel regions: the begin is told when the data for the team are in place, and the threads of the team begin before they read them. */
struct pomp_team {
    void (*fn)(void *);
    void *data;
    struct opari_parallel *parallel;
};

static void pomp_team_run(void *argument)
{
    const struct pomp_team *team = argument;
    struct opari_thread *t = opari_event_begin(team->parallel->region);
    if (t != NULL) {
        opari_parallel_begin(t, team->parallel->region, team->parallel, POMP_FRAME);
        opari_event_end(t);
    }
    team->fn(team->data);
    /* A combined construct that was left whole says nothing inside. */
    t = opari_event_begin(team->parallel->region);
    if (t != NULL) {
        opari_parallel_end(t, team->parallel->region, team->parallel, NULL);
        opari_event_end(t);
    }
}

/* Whether the calling thread has just forked an instrumented region. */
static int pomp_team_begin(struct pomp_team *team, void (*fn)(void *), void *data, unsigned threads)
{
    struct opari_thread *t = pomp_known();
    if (t == NULL)
        return 0;
    int ours = t->top->what == OPARI_AT_FORK;
    if (ours) {
        struct opari_parallel *p = t->top->of.parallel;
        const unsigned facts = p->region != NULL ? p->region->facts : 0;
        if (threads != 0) /* Fortran's fork does not know */
            p->requested = (int)threads;
        if (threads == 1 && (facts & (POMP_HAS_IF | POMP_HAS_NUM_THREADS)) == POMP_HAS_IF) /* if(.false.) */
            p->flags = ompt_parallel_invoker_program | ompt_parallel_team;
        *team = (struct pomp_team){fn, data, p};
        team->parallel->data[OPARI_NOTES].ptr = (void *)(uintptr_t)fn; /* a tool of 2013 asks for it */
        opari_parallel_tell(t, team->parallel);
    }
    opari_event_end(t);
    return ours;
}

#define POMP_PARALLEL_PARAMETERS (void (*fn)(void *), void *data, unsigned threads, unsigned flags)
POMP_NEXT_OF(GOMP_parallel, POMP_PARALLEL_PARAMETERS, (fn, data, threads, flags))

static OPARI_COLD void pomp_told_parallel POMP_PARALLEL_PARAMETERS
{
    struct pomp_team team;
    if (pomp_team_begin(&team, fn, data, threads))
        OPARI_LOAD(&pomp_next_GOMP_parallel)(pomp_team_run, &team, threads, flags);
    else
        OPARI_LOAD(&pomp_next_GOMP_parallel)(fn, data, threads, flags);
}

POMP_GOMP void GOMP_parallel POMP_PARALLEL_PARAMETERS
{
    if (OPARI_LIKELY(!pomp_hands_over()))
        OPARI_LOAD(&pomp_next_GOMP_parallel)(fn, data, threads, flags);
    else
        pomp_told_parallel(fn, data, threads, flags);
}

/* The combined constructs that have a routine of their own, where they were left whole. */
#define POMP_TEAM(name, form)                                                                                                  \
    typedef void (*pomp_##name##_t)(void (*)(void *), void *, unsigned, POMP_##form##_TYPES, unsigned);                        \
    POMP_GOMP void name(void (*fn)(void *), void *data, unsigned threads, POMP_##form##_PARAMETERS, unsigned flags);           \
    POMP_GOMP void name(void (*fn)(void *), void *data, unsigned threads, POMP_##form##_PARAMETERS, unsigned flags)            \
    {                                                                                                                          \
        POMP_NEXT(name);                                                                                                       \
        struct pomp_team team;                                                                                                 \
        if (OPARI_UNLIKELY(pomp_hands_over()) && pomp_team_begin(&team, fn, data, threads))                                    \
            next(pomp_team_run, &team, threads, POMP_##form##_ARGUMENTS, flags);                                               \
        else                                                                                                                   \
            next(fn, data, threads, POMP_##form##_ARGUMENTS, flags);                                                           \
    }
#define POMP_sections_TYPES unsigned
#define POMP_sections_PARAMETERS unsigned count
#define POMP_sections_ARGUMENTS count
POMP_TEAM(GOMP_parallel_sections, sections)
#define POMP_sized_TYPES long, long, long, long
#define POMP_sized_PARAMETERS long from, long to, long step, long size
#define POMP_sized_ARGUMENTS from, to, step, size
POMP_TEAM(GOMP_parallel_loop_static, sized)
POMP_TEAM(GOMP_parallel_loop_dynamic, sized)
POMP_TEAM(GOMP_parallel_loop_guided, sized)
POMP_TEAM(GOMP_parallel_loop_nonmonotonic_dynamic, sized)
POMP_TEAM(GOMP_parallel_loop_nonmonotonic_guided, sized)
#define POMP_unsized_TYPES long, long, long
#define POMP_unsized_PARAMETERS long from, long to, long step
#define POMP_unsized_ARGUMENTS from, to, step
POMP_TEAM(GOMP_parallel_loop_runtime, unsized)
POMP_TEAM(GOMP_parallel_loop_nonmonotonic_runtime, unsized)
POMP_TEAM(GOMP_parallel_loop_maybe_nonmonotonic_runtime, unsized)

/* teams on the host. */
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
                                omp_get_team_num != NULL ? omp_get_team_num() : 0, POMP_FRAME);
        opari_event_end(t);
    }
    league->fn(league->data);
    t = opari_event_begin(league->region);
    if (t != NULL) {
        opari_league_task_end(t, league->parallel);
        opari_event_end(t);
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
        opari_event_end(t);
    }
    if (OPARI_LIKELY(league.parallel == NULL)) {
        next(fn, data, teams, threads, flags);
        return;
    }
    next(pomp_league_run, &league, teams, threads, flags);
    t = opari_event_begin(league.region);
    if (t != NULL) {
        opari_parallel_join(t, league.region, league.parallel, POMP_CALLER);
        opari_event_end(t);
    }
}

typedef unsigned (*pomp_GOMP_parallel_reductions_t)(void (*)(void *), void *, unsigned, unsigned);
POMP_GOMP unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
POMP_GOMP unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
    POMP_NEXT(GOMP_parallel_reductions);
    struct opari_thread *t = pomp_listening();
    if (t != NULL) {
        if (t->top->what == OPARI_AT_FORK) {
            t->top->of.parallel->data[OPARI_NOTES].ptr = (void *)(uintptr_t)fn;
            opari_parallel_tell(t, t->top->of.parallel);
        }
        opari_event_end(t);
    }
    return next(fn, data, threads, flags); /* which looks into the data */
}
