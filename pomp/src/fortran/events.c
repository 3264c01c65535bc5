/* events.c: the functions that events of instrumented Fortran call. They also find the instance of
 * a region that a thread is in, since no handle travels with the program.
 */
#include "../state/state.h"

#include <pthread.h>
#include <stdlib.h>

/* The events that a file's dispatcher passes, as 16 * region + event; the rewriter calls them
 * fortranEvent. */
enum pomp_fortran_event {
    POMP_FORTRAN_enter = 1, /* or fork, create_begin */
    POMP_FORTRAN_begin,
    POMP_FORTRAN_end,
    POMP_FORTRAN_exit, /* or join, create_end */
    POMP_FORTRAN_BARRIER_ENTER,
    POMP_FORTRAN_BARRIER_EXIT,
    POMP_FORTRAN_COUNTED, /* enters a loop whose bounds have been announced if the library asks for
                             them */
    POMP_FORTRAN_BEGIN_WITH, /* begins a user region whose address has been announced */
    POMP_FORTRAN_END_WITH,
    POMP_FORTRAN_INIT = 11, /* controls have no region */
    POMP_FORTRAN_FINALIZE,
    POMP_FORTRAN_ON,
    POMP_FORTRAN_OFF
};

/* The functions to call for the events of the regions; most are the entry points that C's text
 * calls. The dispatcher jumps to each, so its caller and frame are the program's. The index is the
 * dispatcher's event. No event is 0, so that slot holds the region. */
union pomp_fortran_slot {
    struct ompregdescr *region;
    void (*call)(struct ompregdescr *d);
    void (*among)(struct ompregdescr *d, const void *ra, void *frame);
    const union pomp_fortran_slot *at;
    struct pomp_fortran_way *way;
};
enum {
    POMP_FORTRAN_SLOTS = 16,
    POMP_FORTRAN_SLOTS_SIZE = POMP_FORTRAN_SLOTS * sizeof(union pomp_fortran_slot)
};

/* Calls that follow one another in the text are merged into one, whose number is that of a region
 * that does not exist. The second half of its slots lists the merged calls as addresses of the
 * slots with their functions, up to a null. All calls but the last go through among, which is that
 * far after the event: these functions get the caller as an argument. The last one is a jump, as if
 * it were on its own. */
enum { POMP_FORTRAN_JOINED = 8, POMP_FORTRAN_JOINED_END = 15, POMP_FORTRAN_AMONG = 8 };

/* Most merged calls are pairs. The first half of their slots holds the two functions. */
enum {
    POMP_FORTRAN_PAIR = 2, /* the first function, called by among, and its region */
    POMP_FORTRAN_PAIR_LAST =
        4, /* the last function, which is jumped to: plain or with announced bounds; its region */
    POMP_FORTRAN_PAIR_COUNTED,
    POMP_FORTRAN_PAIR_REGION
};

/* Where a file's dispatcher makes a call instead of a jump (dispatchers.c), it finds slots that
 * lead to the slots described above. */
enum { POMP_FORTRAN_WAY_TO = 10, POMP_FORTRAN_WAY, POMP_FORTRAN_PLACES = 6 };
struct pomp_fortran_way {
    intptr_t *slot; /* where the dispatcher finds the slots */
    const union pomp_fortran_slot *slots;
    const void *dispatcher;
    int places;
    struct {
        const void *ra;
        ptrdiff_t distance;
    } place[POMP_FORTRAN_PLACES];
};

static pthread_mutex_t pomp_fortran_lock = PTHREAD_MUTEX_INITIALIZER;

static void pomp_fortran_nothing(struct ompregdescr *d) { (void)d; }

/* Returns the calling thread's entry of kind what for region d, in its current task or around it;
 * null if there is none. */
static struct opari_entry *pomp_fortran_in(struct opari_thread *t, const struct ompregdescr *d,
                                           int what)
{
    for (struct opari_entry *e = t->top; e > t->stack; e--)
        if (e->what == what && e->region == d)
            return e;
    return NULL;
}

/* Forks, joins and tasks cost far more than the code of these functions. */
OPARI_FOR_SIZE
/* The thread joins the instance that the interposed routine begins for it. Without such routines,
 * that is the instance forked last, in the descriptor's data[2]. */
static void pomp_fortran_join_team(struct opari_thread *t, struct ompregdescr *d, const void *ra,
                                   void *frame)
{
    const struct opari_entry *top = t->top;
    if (top->what != OPARI_AT_IMPLICIT || top->region != d ||
        (top->flags & OPARI_ENTRY_DOCKED) != 0) {
        int master = top->what == OPARI_AT_FORK && top->region == d;
        struct opari_parallel *p = master ? top->of.parallel : OPARI_ACQUIRE(&d->data[2]);
        if (p == NULL || p == POMP_MERGED_IN_TEXT || !opari_has_task_room(t))
            return;
        opari_parallel_begin(t, d, p, frame);
    }
    if (OPARI_UNLIKELY((d->facts & POMP_HAS_COPY) != 0))
        pomp_copied_in(t, ra, frame);
}

/* The interposed routine gets the clauses. */
static int pomp_fortran_threads(void) { return pomp_sees_forks() ? -1 : 0; }

static void pomp_fortran_fork_slow(struct ompregdescr *d, const void *ra, void *frame)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (opari_has_fork_room(t)) {
        void *p = opari_parallel_fork(t, d, 1, pomp_fortran_threads(), ra, frame),
             *last = OPARI_LOAD(&d->data[2]);
        while (last != POMP_MERGED_IN_TEXT &&
               !__atomic_compare_exchange_n(&d->data[2], &last, p, 1, __ATOMIC_RELEASE,
                                            __ATOMIC_RELAXED))
            ;
    }
    opari_event_end();
}

/* For a region that is known to go through GOMP_parallel, that routine raises all events, except
 * the end and the last barrier of several threads. */
OPARI_INLINE void pomp_fortran_fork_part(struct ompregdescr *d, const void *ra, void *frame)
{
#ifdef POMP_INTERPOSE
    if (OPARI_LIKELY(OPARI_LOAD(&d->data[2]) == POMP_MERGED_IN_TEXT && OPARI_LOAD(&pomp.merges))) {
        struct opari_thread *t = opari_here;
        if (OPARI_LIKELY(opari_is_ready(t))) {
            t->ahead = d;
            return;
        }
    }
#endif
    pomp_fortran_fork_slow(d, ra, frame);
}

static void pomp_fortran_fork(struct ompregdescr *d)
{
    pomp_fortran_fork_part(d, POMP_CALLER, POMP_FRAME);
}

/* Serves merged calls; the call on its own jumps here. */
static OPARI_NOINLINE void pomp_fortran_begin_part(struct ompregdescr *d, const void *ra,
                                                   void *frame)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    pomp_fortran_join_team(t, d, ra, frame);
    opari_event_end();
}

static OPARI_NOINLINE void pomp_fortran_end_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)ra, (void)frame;
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_IMPLICIT);
    if (e != NULL)
        opari_parallel_end(t, d, e->of.task->parallel);
    opari_event_end();
}

static OPARI_NOINLINE void pomp_fortran_join_part(struct ompregdescr *d, const void *ra,
                                                  void *frame)
{
    (void)ra, (void)frame;
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    t->ahead = NULL;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_FORK);
    if (e != NULL)
        opari_parallel_join(t, d, e->of.parallel);
    opari_event_end();
}

static void pomp_fortran_begin(struct ompregdescr *d)
{
    pomp_fortran_begin_part(d, POMP_CALLER, POMP_FRAME);
}
static void pomp_fortran_end(struct ompregdescr *d) { pomp_fortran_end_part(d, POMP_CALLER, NULL); }
static void pomp_fortran_join(struct ompregdescr *d)
{
    pomp_fortran_join_part(d, POMP_CALLER, NULL);
}

/* The task that the program is about to create. Where the library has interposed the runtime's
 * routine, that routine creates it and passes it to the executing thread. The task has then begun
 * when the program's call announces its begin. */
static OPARI_TLS struct pomp_fortran_task {
    struct ompregdescr *region; /* null: there is none */
    const void *ra;
    void *frame;
    const struct ompregdescr *made; /* region of a task that was created without an entry on the
                                       stack; its creation is over */
} pomp_fortran_next_task;

OPARI_INLINE void pomp_fortran_task_create_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (OPARI_UNLIKELY(opari_ready() == NULL && opari_thread_first() == NULL))
        return;
    pomp_fortran_next_task = (struct pomp_fortran_task){d, ra, frame, NULL};
}

static void pomp_fortran_task_create_begin(struct ompregdescr *d)
{
    pomp_fortran_task_create_part(d, POMP_CALLER, POMP_FRAME);
}

/* Elsewhere, as with LLVM's runtime, nobody knows which of a region's tasks a thread executes. The
 * library then treats it as one that this thread creates here and executes at once. Number and
 * times are right; the parent is the task that the thread left for it. */
static OPARI_NOINLINE void pomp_fortran_task_begin_slow(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    const int begun = t->top->what == OPARI_AT_TASK && t->top->region == d &&
                      pomp_fortran_next_task.region == NULL;
    pomp_fortran_next_task.region = NULL;
    opari_event_end();
    void *k = begun ? NULL : POMP_Task_create_begin(d, 0);
    if (k == NULL)
        return;
    POMP_Task_begin(d, k);
    struct opari_entry *e = opari_self->top;
    if (e->what == OPARI_AT_TASK && e->of.task == k && e[-1].what == OPARI_AT_CREATE)
        e[-1].flags |= OPARI_ENTRY_AT_EXECUTION;
}

static void pomp_fortran_task_begin(struct ompregdescr *d)
{
    const struct opari_thread *t = opari_here;
    if (OPARI_UNLIKELY(!opari_is_ready(t) || !opari_is_at(t, d, OPARI_AT_TASK) ||
                       pomp_fortran_next_task.region != NULL))
        pomp_fortran_task_begin_slow(d);
}

static OPARI_NOINLINE void pomp_fortran_task_end_slow(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_TASK);
    if (e != NULL) {
        struct opari_task *k = e->of.task;
        const int at_execution =
            e[-1].what == OPARI_AT_CREATE && (e[-1].flags & OPARI_ENTRY_AT_EXECUTION) != 0;
        opari_task_end(t, k);
        if (at_execution && opari_seek_record(opari_self, OPARI_AT_CREATE, k))
            opari_task_created(opari_self);
    }
    opari_event_end();
}

static void pomp_fortran_task_end(struct ompregdescr *d)
{
    const struct opari_thread *t = opari_here;
    if (OPARI_LIKELY(opari_is_ready(t) && opari_is_at(t, d, OPARI_AT_TASK) &&
                     OPARI_LOAD(&pomp.merges) &&
                     (t->top[-1].flags & OPARI_ENTRY_AT_EXECUTION) == 0))
        POMP_Task_end(d, t->top->of.task);
    else
        pomp_fortran_task_end_slow(d);
}

static OPARI_NOINLINE void pomp_fortran_task_create_end_slow(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    pomp_fortran_next_task.region = NULL;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_CREATE);
    if (e != NULL && (e->flags & OPARI_ENTRY_AT_EXECUTION) == 0 &&
        opari_seek_record(t, OPARI_AT_CREATE, e->of.task))
        opari_task_created(t);
    opari_event_end();
}

static void pomp_fortran_task_create_end(struct ompregdescr *d)
{
    if (OPARI_LIKELY(pomp_fortran_next_task.made == d))
        pomp_fortran_next_task.made = NULL;
    else
        pomp_fortran_task_create_end_slow(d);
}
OPARI_FOR_SPEED

/* The iterations of the loop that the thread enters next if its bounds have been announced, else
 * 0. */
static OPARI_TLS uint64_t pomp_fortran_iterations;

/* Announces the bounds and step of one of the loops that are entered together, which are numbered
 * from 1. Returns its last argument. */
static int64_t pomp_fortran_bounds(int loop, int64_t first, int64_t last, int64_t by, int64_t what)
{
    const uint64_t from = (uint64_t)first, to = (uint64_t)last, step = (uint64_t)by;
    const int up = by > 0;
    uint64_t n = 0;
    if (OPARI_LIKELY(by == 1)) /* a division takes longer than all the rest */
        n = first > last ? 0 : to - from + 1;
    else if (by != 0 && (up ? first <= last : first >= last))
        n = (up ? (to - from) / step : (from - to) / (0 - step)) + 1;
    pomp_fortran_iterations = loop == 1 ? n : n * pomp_fortran_iterations;
    return what;
}

/* The variable of the user region that the thread begins or ends next. */
static OPARI_TLS const void *pomp_fortran_variable;

static void pomp_fortran_user(const void *variable) { pomp_fortran_variable = variable; }

/* Jumps to the construct's enter. A fork has no iterations; its values are for other libraries. */
static void pomp_fortran_counted(struct ompregdescr *d)
{
    const uint64_t n = pomp_fortran_iterations;
    pomp_fortran_iterations = 0;
    if (OPARI_UNLIKELY(d->kind == POMP_KIND_PARALLEL))
        pomp_fortran_fork(d);
    else
        POMP_Counted_enter(d, n);
}

static void pomp_fortran_user_begin_with(struct ompregdescr *d)
{
    POMP_Begin(d, pomp_fortran_variable);
}
static void pomp_fortran_user_end_with(struct ompregdescr *d)
{
    POMP_End(d, pomp_fortran_variable);
}

static void pomp_fortran_nothing_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)d, (void)ra, (void)frame;
}

OPARI_INLINE void pomp_fortran_user_region(struct ompregdescr *d, int begins, const void *variable,
                                           const void *ra)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    unsigned operation = 0;
    if (begins && opari_has_room(t))
        operation = opari_region_enter(t, d, OPARI_AT_USER, opari_region_work, -1, variable, ra);
    if (!begins && opari_seek(t, d, OPARI_AT_USER))
        operation = opari_region_exit(t, opari_region_work, variable, ra);
    pomp_event_end(d, operation);
}

static void pomp_fortran_user_begin(struct ompregdescr *d)
{
    pomp_fortran_user_region(d, 1, NULL, POMP_CALLER);
}
static void pomp_fortran_user_end(struct ompregdescr *d)
{
    pomp_fortran_user_region(d, 0, NULL, POMP_CALLER);
}

/* Functions that may be switched off have the events enter and exit. */
static void pomp_fortran_function_begin(struct ompregdescr *d)
{
    if (OPARI_LOAD(&pomp.rates))
        POMP_Function_begin(d);
    else
        pomp_fortran_user_region(d, 1, NULL, POMP_CALLER);
}

OPARI_FOR_SIZE
static void pomp_fortran_user_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)frame;
    pomp_fortran_user_region(d, 1, NULL, ra);
}

static void pomp_fortran_user_end_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)frame;
    pomp_fortran_user_region(d, 0, NULL, ra);
}
OPARI_FOR_SPEED

static void pomp_fortran_task_end_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)ra, (void)frame;
    pomp_fortran_task_end(d);
}

static void pomp_fortran_task_begin_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)ra, (void)frame;
    pomp_fortran_task_begin(d);
}

static void pomp_fortran_task_create_end_part(struct ompregdescr *d, const void *ra, void *frame)
{
    (void)ra, (void)frame;
    pomp_fortran_task_create_end(d);
}
