/* pomp_gomp_team.c: where teams begin and end: see pomp_gomp.c. */
#include "pomp_lib.h"

/* pomp_gomp_teams.c: the parallel region of a composite construct. */
struct pomp_composite {
    void (*fn)(void *);
    void *data;
    struct opari_parallel *parallel;
    const void *ra;
    uint64_t count; /* iterations of its loop; 0: not known */
    long origin, step; /* of a loop that the runtime deals out */
};

/* Parallel regions: the begin is told when the data for the team are in place, and the threads of the team begin before they read them. The team's
 * record stands before the runtime in place of the data. */
static OPARI_APART void pomp_team_enter(struct opari_parallel *p, void *frame)
{
    struct opari_thread *t = opari_event_begin(p->region);
    if (t == NULL)
        return;
    if (opari_has_task_room(t))
        opari_parallel_begin(t, p->region, p, frame);
    opari_event_end();
}

/* A combined construct that was left whole says nothing inside. */
static OPARI_APART void pomp_team_leave(struct opari_parallel *p)
{
    struct opari_thread *t = opari_event_begin(p->region);
    if (t == NULL)
        return;
    opari_parallel_end(t, p->region, p, NULL);
    opari_event_end();
}

static void pomp_team_run(void *team)
{
    struct opari_parallel *p = team;
    struct opari_thread *t = opari_ready();
    OPARI_TAKES_OVER(p);
    if (OPARI_LIKELY(t != NULL && opari_parallel_is_own(t, p) && t->top != t->limit && t->free_tasks != NULL)) {
        opari_event_enter(t, p->region);
        const int size = opari_team_size();
        opari_implicit_begin(opari_self, p->region, p, size, 0, POMP_FRAME);
        opari_event_end();
    } else {
        pomp_team_enter(p, POMP_FRAME);
    }
    p->fn(p->shared);
    t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || !opari_parallel_has_ended(t, p)))
        pomp_team_leave(p);
}

/* Whether the calling thread has just forked an instrumented region. */
OPARI_INLINE int pomp_has_forked(void)
{
    const struct opari_thread *t = opari_ready();
    return t != NULL && t->top->what == OPARI_AT_FORK && pomp_measures();
}

/* frame: of the runtime's routine. What told of the fork may be deeper: Fortran's dispatcher calls where it is not optimized, else it jumps. Returns
 * the team. */
OPARI_INLINE struct opari_parallel *pomp_team_begin(void (*fn)(void *), void *data, unsigned threads, void *frame)
{
    struct opari_thread *t = opari_self;
    struct opari_parallel *p = t->top->of.parallel;
    opari_event_enter(t, p->region);
    if (OPARI_UNLIKELY((uintptr_t)t->task->frame.enter_frame.ptr < (uintptr_t)frame))
        opari_set_enter_frame(t->task, frame);
    if (threads != 0) /* Fortran's fork does not know */
        p->requested = (int)threads;
    if (threads == 1 && p->region != NULL && (p->region->facts & (POMP_HAS_IF | POMP_HAS_NUM_THREADS)) == POMP_HAS_IF) /* if(.false.) */
        p->flags = ompt_parallel_invoker_program | ompt_parallel_team;
    p->data[OPARI_NOTES].ptr = (void *)(uintptr_t)fn; /* a tool of 2013 asks for it */
    p->fn = fn;
    p->shared = data;
    if (OPARI_LIKELY(p->untold != NULL))
        opari_parallel_tell_now(t, p);
    t = opari_self;
    p = t->top->of.parallel;
    OPARI_HANDS_OVER(p);
    opari_event_end();
    return p;
}

#define POMP_PARALLEL_PARAMETERS (void (*fn)(void *), void *data, unsigned threads, unsigned flags)
POMP_NEXT_OF(GOMP_parallel, POMP_PARALLEL_PARAMETERS, (fn, data, threads, flags))

static int pomp_composite_begin(struct pomp_composite *c, unsigned threads, const void *ra, void *frame);
static void pomp_composite_run(void *argument);
static void pomp_composite_end(const struct pomp_composite *c);

static OPARI_COLD void pomp_parallel_within POMP_PARALLEL_PARAMETERS
{
    struct pomp_composite composite = {fn, data, NULL, NULL, 0, 0, 1};
    if (!pomp_composite_begin(&composite, threads, POMP_CALLER, POMP_FRAME)) {
        OPARI_LOAD(&pomp_next_GOMP_parallel)(fn, data, threads, flags);
        return;
    }
    OPARI_LOAD(&pomp_next_GOMP_parallel)(pomp_composite_run, &composite, threads, flags);
    pomp_composite_end(&composite);
}

static OPARI_APART void pomp_told_parallel POMP_PARALLEL_PARAMETERS
{
    struct opari_parallel *p = pomp_team_begin(fn, data, threads, POMP_FRAME);
    OPARI_LOAD(&pomp_next_GOMP_parallel)(pomp_team_run, p, threads, flags);
}

POMP_GOMP void GOMP_parallel POMP_PARALLEL_PARAMETERS
{
    if (OPARI_LIKELY(!pomp_hands_over()))
        OPARI_LOAD(&pomp_next_GOMP_parallel)(fn, data, threads, flags);
    else if (OPARI_LIKELY(pomp_has_forked()))
        pomp_told_parallel(fn, data, threads, flags);
    else
        pomp_parallel_within(fn, data, threads, flags);
}

/* Where parallel sections was left whole. For loops see pomp_gomp_teams.c. */
typedef void (*pomp_GOMP_parallel_sections_t)(void (*)(void *), void *, unsigned, unsigned, unsigned);
POMP_GOMP void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned count, unsigned flags);
POMP_GOMP void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned count, unsigned flags)
{
    POMP_NEXT(GOMP_parallel_sections);
    if (OPARI_LIKELY(!pomp_hands_over() || !pomp_has_forked())) {
        next(fn, data, threads, count, flags);
        return;
    }
    struct opari_parallel *p = pomp_team_begin(fn, data, threads, POMP_FRAME);
    next(pomp_team_run, p, threads, count, flags);
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
        opari_event_end();
    }
    return next(fn, data, threads, flags); /* which looks into the data */
}
