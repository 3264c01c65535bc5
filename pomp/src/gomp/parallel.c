/* parallel.c: the begin and end of teams; see interposed.c. */
#include "../state/state.h"

/* The begin of a parallel region is raised when the data for the team is in place, and the team's
 * threads begin before they read it. The runtime gets the team's record instead of the data. */
static OPARI_NOINLINE void pomp_team_enter(struct opari_parallel *p, void *frame)
{
    struct opari_thread *t = opari_event_begin(p->region);
    if (t == NULL)
        return;
    if (opari_has_task_room(t))
        opari_parallel_begin(t, p->region, p, frame);
    opari_event_end();
}

/* A combined construct that was not split contains no call. */
static OPARI_NOINLINE void pomp_team_leave(struct opari_parallel *p)
{
    struct opari_thread *t = opari_event_begin(p->region);
    if (t == NULL)
        return;
    opari_parallel_end(t, p->region, p);
    opari_event_end();
}

static void pomp_team_run(void *team)
{
    struct opari_parallel *p = team;
    struct opari_thread *t = opari_ready();
    OPARI_TAKES_OVER(p);
    if (OPARI_LIKELY(t != NULL && opari_parallel_is_own(t, p) && t->top != t->limit &&
                     t->free_tasks != NULL)) {
        opari_event_enter(t, p->region);
        const int size = opari_team_size();
        opari_implicit_begin(opari_self, p->region, p, size, 0, POMP_OWN_FRAME);
        opari_event_end();
    } else {
        pomp_team_enter(p, POMP_OWN_FRAME);
    }
    p->fn(p->shared);
    t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || !opari_parallel_has_ended(t, p)))
        pomp_team_leave(p);
}

/* Ends a region whose threads meet by a word of the team. t is the calling thread, in an event, if
 * its implicit task is the innermost entry; else null. The encountering thread raises the remaining
 * events after the region. */
static OPARI_NOINLINE OPARI_TEAM void pomp_merged_arrive(struct opari_parallel *p,
                                                         struct opari_thread *t)
{
    if (t == NULL) {
        (void)pomp_team_arrive(p, (unsigned)opari_team_size(), 0);
        return;
    }
    const unsigned size = (unsigned)t->top->detail;
    const int worker = t->task->index != 0;
    opari_merged_dock(t, p);
    opari_event_end();
    const int all_arrived = pomp_team_arrive(p, size, worker);
    if (!worker || (t = opari_event_begin(p->region)) == NULL)
        return;
    if (opari_is_record(t->top, OPARI_AT_IMPLICIT, p)) {
        if (OPARI_LIKELY(all_arrived)) {
            opari_implicit_end(t, t->top);
            opari_self->state = ompt_state_idle;
        } else {
            opari_mark_outlasting(t->top);
        }
    }
    opari_event_end();
}

/* Handles a thread that began or ended in an unusual way. In a team of more than one thread, all
 * threads meet, whatever the library knows about them. They meet in a barrier, unless the region is
 * known to need none. */
typedef _Bool (*pomp_GOMP_barrier_cancel_t)(void);
static OPARI_NOINLINE void pomp_merged_leave(struct opari_parallel *p, void *frame)
{
    POMP_NEXT(GOMP_barrier_cancel);
    struct opari_thread *t = opari_ready();
    const int several = opari_team_size() > 1,
              ended =
                  t != NULL && opari_parallel_has_ended(t, p); /* by a cancel, or Fortran's text */
    if (!ended &&
        OPARI_LOAD(&p->region->data[2]) == POMP_MERGED_IN_TEXT) { /* it has met in a barrier */
        pomp_team_leave(p);
        return;
    }
    t = !ended ? opari_event_begin(p->region) : NULL;
    const int found = t != NULL && opari_seek_record(t, OPARI_AT_IMPLICIT, p),
              waits = several || (found && t->made != p->made);
    if (several && pomp_uses_team_barrier(p)) {
        if (t != NULL && !found)
            opari_event_end();
        pomp_merged_arrive(p, found ? t : NULL);
        return;
    }
    if (ended)
        return;
    if (found && waits && opari_has_room(t))
        (void)pomp_own_barrier_enter(t, p->region, p->ra, frame);
    if (t != NULL)
        opari_event_end();
    if (waits)
        (void)next();
    if (several)
        pomp_team_barrier_learn(p->region, p);
    t = found ? opari_event_begin(p->region) : NULL;
    if (t == NULL)
        return;
    if (opari_seek(t, p->region, OPARI_AT_BARRIER)) {
        opari_sync_end(t, t->top);
        opari_pop_top();
    }
    opari_parallel_end(opari_self, p->region, p);
    opari_event_end();
}

/* Begins the implicit task of a thread other than the one that forked region p. */
static OPARI_NOINLINE OPARI_TEAM void pomp_merged_enter(struct opari_parallel *p, void *frame)
{
    struct opari_thread *t = opari_here;
    if (OPARI_UNLIKELY(!opari_is_ready(t) || t->top != t->stack || t->free_tasks == NULL ||
                       OPARI_LOAD(&opari_cancels))) {
        pomp_team_enter(p, frame);
        return;
    }
    opari_event_enter(t, p->region);
    const int size = opari_team_size(),
              index = omp_get_thread_num != NULL ? omp_get_thread_num() : 0;
    opari_implicit_begin(opari_self, p->region, p, size, index, frame);
    opari_event_end();
}

/* Ends the implicit task, usually in a team of several threads. */
static OPARI_NOINLINE OPARI_TEAM void pomp_merged_exit(struct opari_parallel *p, void *frame)
{
    struct opari_thread *t = opari_here;
    if (OPARI_UNLIKELY(!opari_is_ready(t) || !opari_is_record(t->top, OPARI_AT_IMPLICIT, p) ||
                       opari_parallel_has_ended(t, p) || t->top->detail == 1 ||
                       !pomp_uses_team_barrier(p))) {
        pomp_merged_leave(p, frame);
        return;
    }
    opari_event_enter(t, p->region);
    pomp_merged_arrive(p, t);
}

static OPARI_TEAM void pomp_merged_run(void *team)
{
    struct opari_parallel *p = team;
    struct opari_thread *t = opari_here;
    OPARI_TAKES_OVER(p);
    if (OPARI_LIKELY(opari_is_ready(t) && opari_is_record(t->top, OPARI_AT_FORK, p))) {
        opari_event_enter(t, p->region);
        opari_first_begin(t, p, POMP_OWN_FRAME);
        opari_event_end();
    } else {
        pomp_merged_enter(p, POMP_OWN_FRAME);
    }
    p->fn(p->shared);
    t = opari_here;
    if (OPARI_UNLIKELY(!opari_is_ready(t) || t->top->what != OPARI_AT_IMPLICIT ||
                       t->top->of.task != &p->first || t->top->detail != 1 || t->made != p->made)) {
        pomp_merged_exit(p, POMP_FRAME);
        return;
    }
    opari_event_enter(t, p->region);
    OPARI_HANDS_OVER(p);
    opari_first_end(t, p);
    opari_event_end();
}

/* Returns whether the calling thread has just forked an instrumented region. */
OPARI_INLINE int pomp_has_forked(void)
{
    const struct opari_thread *t = opari_ready();
    return t != NULL && t->top->what == OPARI_AT_FORK && pomp_measures();
}

/* frame is that of the runtime's routine. The frame that raised the fork may be deeper: Fortran's
 * dispatcher calls instead of jumping where it is not optimized. Returns the team. */
static OPARI_NOINLINE struct opari_parallel *pomp_team_begin(void (*fn)(void *), void *data,
                                                             unsigned threads, void *frame)
{
    struct opari_thread *t = opari_self;
    struct opari_parallel *p = t->top->of.parallel;
    opari_event_enter(t, p->region);
    if (OPARI_UNLIKELY((uintptr_t)t->task->frame.enter_frame.ptr < (uintptr_t)frame))
        opari_set_enter_frame(t->task, frame);
    if (threads != 0) /* Fortran's fork does not know the number */
        p->requested = (int)threads;
    if (threads == 1 && p->region != NULL &&
        (p->region->facts & (POMP_HAS_IF | POMP_HAS_NUM_THREADS)) == POMP_HAS_IF) /* if(.false.) */
        p->flags = ompt_parallel_invoker_program | ompt_parallel_team;
    pomp_note(p->data, fn);
    p->fn = fn;
    p->shared = data;
    if (OPARI_LIKELY(p->pending != NULL))
        opari_parallel_raise_begin_now(t, p);
    t = opari_self;
    p = t->top->of.parallel;
    OPARI_HANDS_OVER(p);
    opari_event_end();
    return p;
}

#define POMP_PARALLEL_PARAMETERS (void (*fn)(void *), void *data, unsigned threads, unsigned flags)
POMP_NEXT_OF(GOMP_parallel, POMP_PARALLEL_PARAMETERS, (fn, data, threads, flags))

/* A region that raises no events, such as one in a target region, forks and joins all the same. The
 * address of fn stands for the fork, that of data for the join: a thread that begins late is not
 * ordered behind one that has ended. */
struct pomp_unseen {
    void (*fn)(void *);
    void *data;
};

static void pomp_unseen_run(void *argument)
{
    struct pomp_unseen *u = argument;
    __tsan_acquire(&u->fn);
    u->fn(u->data);
    __tsan_release(&u->data);
}

static OPARI_COLD void pomp_unseen_parallel POMP_PARALLEL_PARAMETERS
{
    struct pomp_unseen u = {fn, data};
    if (!pomp_has_tool() || __tsan_acquire == NULL || __tsan_release == NULL) {
        OPARI_LOAD (&pomp_next_GOMP_parallel)(fn, data, threads, flags);
        return;
    }
    __tsan_release(&u.fn);
    OPARI_LOAD (&pomp_next_GOMP_parallel)(pomp_unseen_run, &u, threads, flags);
    __tsan_acquire(&u.data);
}

/* As pomp_watched_run, which says why. */
static void pomp_watched_composite_run(void *composite)
{
    pomp_composite_run(composite);
    __tsan_release(composite);
}

static OPARI_COLD void pomp_parallel_within POMP_PARALLEL_PARAMETERS
{
    const int watched = __tsan_acquire != NULL && __tsan_release != NULL;
    struct pomp_composite composite = {fn, data, NULL, NULL, 0, 0, 1};
    if (!pomp_composite_begin(&composite, threads, POMP_CALLER, POMP_FRAME)) {
        pomp_unseen_parallel(fn, data, threads, flags);
        return;
    }
    OPARI_LOAD (&pomp_next_GOMP_parallel)(watched ? pomp_watched_composite_run : pomp_composite_run,
                                          &composite, threads, flags);
    if (watched)
        __tsan_acquire(&composite);
    pomp_composite_end(&composite);
}

/* Makes room for an announced region and repeats the call. */
static OPARI_COLD void pomp_no_room_parallel POMP_PARALLEL_PARAMETERS
{
    struct opari_thread *t = opari_self;
    struct ompregdescr *d = t->ahead;
    opari_event_enter(t, d);
    t->ahead =
        opari_has_parallel(t) && (t->limit - t->top > 1 || opari_stack_grow(t) != NULL) ? d : NULL;
    opari_event_end();
    GOMP_parallel(fn, data, threads, flags);
}

/* The program's call after this one raises the region's end. If this function returned here, there
 * would be one more return after the runtime's system call, where each costs twenty cycles. */
static OPARI_NOINLINE OPARI_TEAM void pomp_merged_parallel POMP_PARALLEL_PARAMETERS
{
    struct opari_thread *t = opari_here;
    struct ompregdescr *d = t->ahead;
    if (OPARI_UNLIKELY(t->limit - t->top < 2 || t->free_parallels == NULL)) {
        pomp_no_room_parallel(fn, data, threads, flags);
        return;
    }
    opari_event_enter(t, d);
    t->ahead = NULL;
    t->free_parallels->fn = fn;
    t->free_parallels->shared = data;
    t->free_parallels->bind = flags;
    pomp_team_barrier_begin(d, t->free_parallels);
    opari_parallel_fork_merged(t, d, threads, POMP_CALLER, POMP_FRAME);
    t = opari_self;
    struct opari_parallel *p = t->top->of.parallel;
    OPARI_HANDS_OVER(p);
    opari_event_end();
    OPARI_LOAD (&pomp_next_GOMP_parallel)(pomp_merged_run, p, p->threads, p->bind);
}

/* The runtime's routine for a region is the same each time. Once it is GOMP_parallel, the program
 * need only call the fork. That does not hold where a barrier or a cancel is inside. Fortran's text
 * keeps the instance in data[2]. Calls in its clauses come between its fork and this routine, and
 * might enter this routine themselves. */
OPARI_INLINE void pomp_learn_merged(const struct opari_entry *fork)
{
    struct ompregdescr *d = fork->region;
    const unsigned within = POMP_HAS_BARRIER | POMP_HAS_CANCEL | POMP_HAS_COPY,
                   clauses = POMP_HAS_IF | POMP_HAS_NUM_THREADS;
    const void *last = d != NULL ? OPARI_LOAD(&d->data[2]) : POMP_MERGED;
    if (last == NULL && (d->facts & within) == 0 && !OPARI_LOAD(&pomp_fortran_used))
        OPARI_STORE(&d->data[2], POMP_MERGED_NEW);
    else if (last == fork->of.parallel && (d->facts & (within | clauses)) == 0)
        OPARI_STORE(&d->data[2], POMP_MERGED_IN_TEXT);
}

/* Orders memory for ThreadSanitizer. After the runtime's routine, the program reads shared
 * variables that the team wrote, before its call raises the region's end. A tool for data races
 * would report that as a race. */
static void pomp_watched_run(void *team)
{
    pomp_team_run(team);
    __tsan_release(team);
}

static OPARI_COLD void pomp_watched_parallel(struct opari_parallel *p, unsigned threads,
                                             unsigned flags)
{
    OPARI_LOAD (&pomp_next_GOMP_parallel)(pomp_watched_run, p, threads, flags);
    __tsan_acquire(p);
}

static OPARI_NOINLINE void pomp_observed_parallel POMP_PARALLEL_PARAMETERS
{
    const int watched = __tsan_acquire != NULL && __tsan_release != NULL;
    if (OPARI_LIKELY(!watched))
        pomp_learn_merged(opari_self->top);
    struct opari_parallel *p = pomp_team_begin(fn, data, threads, POMP_FRAME);
    if (OPARI_UNLIKELY(watched))
        pomp_watched_parallel(p, threads, flags);
    else
        OPARI_LOAD (&pomp_next_GOMP_parallel)(pomp_team_run, p, threads, flags);
}

static OPARI_NOINLINE void pomp_parallel_known POMP_PARALLEL_PARAMETERS
{
    if (!pomp_routine_has_work())
        pomp_unseen_parallel(fn, data, threads, flags);
    else if (pomp_has_forked())
        pomp_observed_parallel(fn, data, threads, flags);
    else
        pomp_parallel_within(fn, data, threads, flags);
}

/* A region that a tool starts in a callback. Its threads raise nothing, nor do the tasks that they
 * execute before its end. */
struct pomp_suppressed {
    void (*fn)(void *);
    void *data;
};

static void pomp_suppressed_run(void *argument)
{
    POMP_NEXT(GOMP_barrier_cancel);
    const struct pomp_suppressed *s = argument;
    OPARI_TAKES_OVER(argument);
    struct ompregdescr *was = opari_suppress_begin();
    s->fn(s->data);
    (void)next();
    opari_suppress_end(was);
}

static OPARI_COLD void pomp_parallel_unready POMP_PARALLEL_PARAMETERS
{
    struct pomp_suppressed s = {fn, data};
    OPARI_HANDS_OVER(&s);
    if (opari_is_suppressed())
        OPARI_LOAD (&pomp_next_GOMP_parallel)(pomp_suppressed_run, &s, threads, flags);
    else
        pomp_unseen_parallel(fn, data, threads, flags);
}

/* A thread that is unknown or in an event has nothing to raise. */
POMP_GOMP OPARI_TEAM void GOMP_parallel POMP_PARALLEL_PARAMETERS
{
    const struct opari_thread *t = opari_here;
    if (OPARI_LIKELY(t == &opari_no_thread))
        OPARI_LOAD (&pomp_next_GOMP_parallel)(fn, data, threads, flags);
    else if (OPARI_UNLIKELY(!opari_is_ready(t)))
        pomp_parallel_unready(fn, data, threads, flags);
    else if (OPARI_LIKELY(t->ahead != NULL))
        pomp_merged_parallel(fn, data, threads, flags);
    else
        pomp_parallel_known(fn, data, threads, flags);
}

/* Serves parallel sections where it was not split. For loops see parallel_loop.c. */
typedef void (*pomp_GOMP_parallel_sections_t)(void (*)(void *), void *, unsigned, unsigned,
                                              unsigned);
POMP_GOMP void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads,
                                      unsigned count, unsigned flags);
POMP_GOMP void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads,
                                      unsigned count, unsigned flags)
{
    POMP_NEXT(GOMP_parallel_sections);
    if (OPARI_LIKELY(!pomp_routine_has_work() || !pomp_has_forked())) {
        next(fn, data, threads, count, flags);
        return;
    }
    struct opari_parallel *p = pomp_team_begin(fn, data, threads, POMP_FRAME);
    next(pomp_team_run, p, threads, count, flags);
}
