/* league.c: teams on the host, as the teams of a league; see interposed.c. */
#include "../state/state.h"

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
        opari_league_task_begin(t, league->parallel,
                                omp_get_num_teams != NULL ? omp_get_num_teams() : 1,
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
POMP_GOMP void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned threads,
                              unsigned flags);
POMP_GOMP void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned threads,
                              unsigned flags)
{
    POMP_NEXT(GOMP_teams_reg);
    struct pomp_league league = {fn, data, NULL, NULL};
    struct opari_thread *t = pomp_observer();
    if (t != NULL) {
        league.region = t->top->region;
        unsigned most = omp_get_max_teams != NULL ? (unsigned)omp_get_max_teams() : 0;
        if (t->top->what == OPARI_AT_REGION && league.region != NULL &&
            league.region->kind == POMP_KIND_TEAMS)
            league.parallel = opari_league_begin(t, league.region, teams != 0 ? teams : most,
                                                 POMP_CALLER, POMP_FRAME);
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
