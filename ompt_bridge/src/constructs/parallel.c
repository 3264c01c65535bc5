/* parallel.c: teams and their implicit tasks.
 *
 * The encountering thread forks and joins. Every thread of the team, that one included, begins and
 * ends. A thread that ends the region without an explicit barrier there is docked: it is in the
 * implicit barrier and may execute tasks in it. It leaves the barrier at the join if it is the
 * encountering thread, and at its next event otherwise.
 */
#include "../core/entries.h"

#include <string.h>

extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));

OPARI_INLINE int opari_team_size(void)
{
    return omp_get_num_threads != NULL ? omp_get_num_threads() : 1;
}

/* threads is the value of the clause, 0 without one, and -1 if the code that raises the begin sets
 * it. The function asks the runtime last, so that it keeps no value across that call. */
OPARI_INLINE struct opari_parallel *opari_parallel_fork(struct opari_thread *t,
                                                        struct ompregdescr *d, int if_value,
                                                        int threads, const void *ra, void *frame)
{
    struct opari_parallel *p = opari_parallel_take(t);
    opari_put(t, d, OPARI_AT_FORK, 0, ra)->of.parallel = p;
    memset(p->data, 0, sizeof p->data);
    p->region = d;
    p->parent = t->task;
    p->parent_life = t->task->lives;
    p->made = t->made;
    p->ra = ra;
    OPARI_STORE(&p->kept, 0u);
    OPARI_STORE(&p->size, 0);
    p->flags = if_value ? ompt_parallel_invoker_runtime | ompt_parallel_team
                        : ompt_parallel_invoker_program | ompt_parallel_team;
    p->pending = (opari_begins_pending | (threads < 0)) != 0 ? ra : NULL;
    p->requested = if_value ? threads : 1;
    opari_set_enter_frame(t->task, frame);
    t->state = ompt_state_overhead;
    if (p->requested <= 0) {
        const int most = omp_get_max_threads != NULL ? omp_get_max_threads() : 1;
        opari_self->top->of.parallel->requested = most;
    }
    t = opari_self;
    p = t->top->of.parallel;
    if (p->pending == NULL) {
        opari_raise_parallel_begin(t, p, t->top->ra);
        p = opari_self->top->of.parallel;
    }
    OPARI_HANDS_OVER(p);
    return p;
}

/* The same for a merged region, which the library passes on to the runtime. threads is what the
 * runtime is asked for, 0: as many as it likes. Needs room for two entries. The record holds what
 * the runtime gets, so that the function keeps no value across the calls. */
OPARI_INLINE void opari_parallel_fork_merged(struct opari_thread *t, struct ompregdescr *d,
                                             unsigned threads, const void *ra, void *frame)
{
    struct opari_parallel *p = opari_parallel_take(t);
    struct opari_task *k = t->task;
    opari_put_flags(t, d, OPARI_AT_FORK, OPARI_ENTRY_MERGED, 0, ra)->of.parallel = p;
    memset(p->data, 0, sizeof p->data);
    p->region = d;
    p->parent = k;
    p->parent_life = k->lives;
    OPARI_STORE(&p->size, 0);
    p->made = t->made;
    p->flags = ompt_parallel_invoker_runtime | ompt_parallel_team;
    p->threads = threads;
    p->pending = NULL;
    p->ra = ra;
    opari_set_enter_frame(k, frame);
    t->state = ompt_state_overhead;
    if (threads == 0)
        threads = omp_get_max_threads != NULL ? (unsigned)omp_get_max_threads() : 1;
    t = opari_self;
    p = t->top->of.parallel;
    p->requested = (int)threads;
    const ompt_callback_parallel_begin_t begin = (ompt_callback_parallel_begin_t)OPARI_ACQUIRE(
        &opari_tools.callback[ompt_callback_parallel_begin]);
    if (begin != NULL)
        begin(&t->task->data[0], &t->task->frame, &p->data[0], threads,
              ompt_parallel_invoker_runtime | ompt_parallel_team, p->ra);
}

/* Begins the first implicit task on the thread that has forked the region. The runtime never makes
 * a larger team than it is asked for, so a request for one needs no call. */
OPARI_INLINE void opari_first_begin(struct opari_thread *t, struct opari_parallel *p, void *frame)
{
    const int size = p->requested == 1 ? 1 : opari_team_size();
    struct opari_task *k = &p->first;
    memset(k->data, 0, sizeof k->data);
    memset(&k->frame, 0, offsetof(ompt_frame_t, exit_frame_flags)); /* both pointers */
    OPARI_STORE(&p->size, size);
    opari_put(t, p->region, OPARI_AT_IMPLICIT, size, NULL)->of.task = k;
    k->below = t->task;
    t->task = k;
    t->state = ompt_state_work_parallel;
    const ompt_callback_implicit_task_t begin = (ompt_callback_implicit_task_t)OPARI_ACQUIRE(
        &opari_tools.callback[ompt_callback_implicit_task]);
    if (begin != NULL)
        begin(ompt_scope_begin, &p->data[0], &k->data[0], (unsigned)size, 0, ompt_task_implicit);
    opari_set_exit_frame(k, frame);
    OPARI_HANDS_OVER(p);
}

/* Ends that task in a team of one, where its entry is the innermost. */
OPARI_INLINE void opari_first_end(struct opari_thread *t, struct opari_parallel *p)
{
    struct opari_task *k = &p->first;
    opari_clear_exit_frame(k);
    t->state = ompt_state_overhead;
    const ompt_callback_implicit_task_t end = (ompt_callback_implicit_task_t)OPARI_ACQUIRE(
        &opari_tools.callback[ompt_callback_implicit_task]);
    if (end != NULL)
        end(ompt_scope_end, NULL, &k->data[0], 1, 0, ompt_task_implicit);
    t->task = k->below;
    t->top--; /* the state is restored already */
    OPARI_STORE(&k->lives, k->lives + 1);
}

/* Whether the thread executes region p and has no other construct open in it. */
OPARI_INLINE int opari_parallel_has_begun(const struct opari_thread *t,
                                          const struct opari_parallel *p)
{
    const struct opari_entry *e = t->top;
    return e->what == OPARI_AT_IMPLICIT && e->of.task->parallel == p &&
           !(e->flags & OPARI_ENTRY_DOCKED);
}

/* Whether the thread is known to have left that region. */
OPARI_INLINE int opari_parallel_has_ended(const struct opari_thread *t,
                                          const struct opari_parallel *p)
{
    const struct opari_entry *e = t->top;
    return e->what == OPARI_AT_FORK ? e->of.parallel == p
                                    : e->what == OPARI_AT_IMPLICIT && e->of.task->parallel == p &&
                                          (e->flags & OPARI_ENTRY_DOCKED) != 0;
}

OPARI_INLINE int opari_is_record(const struct opari_entry *e, int what, const void *record)
{
    return e->what == what &&
           record == (what == OPARI_AT_FORK       ? (const void *)e->of.parallel
                      : what == OPARI_AT_IMPLICIT ? (const void *)e->of.task->parallel
                                                  : (const void *)e->of.task);
}

/* Begins the implicit task of the calling thread. Needs room for a task. */
OPARI_INLINE void opari_implicit_begin(struct opari_thread *t, struct ompregdescr *d,
                                       struct opari_parallel *p, int size, int index, void *frame)
{
    struct opari_task *k = opari_task_take(t);
    if (OPARI_LOAD(&p->size) != size)
        OPARI_STORE(&p->size, size);
    opari_put(t, d, OPARI_AT_IMPLICIT, size, NULL)->of.task = k;
    k->region = d;
    k->parallel = p;
    k->below = t->task;
    k->flags = ompt_task_implicit | ompt_task_undeferred;
    k->makes_plain = 1;
    k->index = index;
    t->task = k;
    t->state = ompt_state_work_parallel;
    opari_raise_implicit_task_begin(t, size);
    k = opari_self->task;
    opari_set_exit_frame(k, frame);
    OPARI_HANDS_OVER(k->parallel); /* a thread that leaves by cancel never reaches
                                      opari_parallel_end */
}

/* Whether the calling thread has forked region p, has raised its begin, and has begun nothing
 * since. */
OPARI_INLINE int opari_parallel_is_own(const struct opari_thread *t, const struct opari_parallel *p)
{
    return opari_is_record(t->top, OPARI_AT_FORK, p) && p->pending == NULL;
}

/* Needs room for a task. */
static void opari_parallel_begin(struct opari_thread *t, struct ompregdescr *d,
                                 struct opari_parallel *p, void *frame)
{
    OPARI_TAKES_OVER(p);
    const int master = opari_is_record(t->top, OPARI_AT_FORK, p);
    if (opari_parallel_has_begun(t, p))
        return; /* it began before the program announced it */
    if (master) {
        if (OPARI_UNLIKELY(p->pending != NULL))
            opari_parallel_raise_begin(t, p);
    } else {
        if (t->top != t->stack)
            opari_close_above(t, 0); /* a thread joins a team only when it has nothing else open */
        opari_tasks_reclaim(t);
    }
    const int index = !master && omp_get_thread_num != NULL ? omp_get_thread_num() : 0;
    opari_implicit_begin(t, d, p, opari_team_size(), index, frame);
}

static OPARI_COLD int opari_find_record(struct opari_thread *t, int what, const void *record)
{
    for (struct opari_entry *e = t->top; e > t->stack; e--)
        if (opari_is_record(e, what, record)) {
            opari_close_above(t, e - t->stack);
            return 1;
        }
    return 0;
}

/* Makes the entry with the given record the innermost one; 0 when the thread has none. */
OPARI_INLINE int opari_seek_record(struct opari_thread *t, int what, const void *record)
{
    return OPARI_LIKELY(opari_is_record(t->top, what, record)) ||
           opari_find_record(t, what, record);
}

/* Marks implicit task e, which its worker may end only after its region is gone. This precedes the
 * runtime's last barrier, and so the join. */
OPARI_INLINE void opari_mark_outlasting(struct opari_entry *e)
{
    e->flags |= OPARI_ENTRY_KEEPS;
    (void)__atomic_add_fetch(&e->of.task->parallel->kept, 1, __ATOMIC_RELAXED);
}

/* Whether the implicit task of entry e ends with the program's call: its threads have met, or it is
 * the only one of its team and has left no task that the runtime executes at the region's end. */
OPARI_INLINE int opari_implicit_ends_at_once(const struct opari_thread *t,
                                             const struct opari_entry *e)
{
    return (e->flags & OPARI_ENTRY_BARRIER) != 0 ||
           (e->detail == 1 && OPARI_LIKELY(t->made == e->of.task->parallel->made));
}

/* The calling thread begins to wait at the end of its region, whose place is ra. Its implicit task
 * is the innermost entry. The task has no frame of the program's any more: what lies above the
 * frame where it began is the runtime's. */
OPARI_INLINE void opari_dock(struct opari_thread *t, const void *ra)
{
    opari_set_enter_frame(t->task, t->task->frame.exit_frame.ptr);
    opari_clear_exit_frame(t->task);
    t->top->flags |= OPARI_ENTRY_DOCKED;
    t->task->arrived = ra;
    t->state = ompt_state_overhead;
    t->regions.late = 1;
    opari_raise_sync(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, ra);
    t->state = ompt_state_wait_barrier_implicit_parallel;
    opari_raise_wait(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, ra);
    t->regions.late = 0;
}

static void opari_parallel_end(struct opari_thread *t, struct ompregdescr *d,
                               struct opari_parallel *p)
{
    const int found = opari_seek_record(t, OPARI_AT_IMPLICIT, p);
    struct opari_entry *e = t->top;
    (void)d;
    OPARI_HANDS_OVER(p);
    if (OPARI_UNLIKELY(!found) || (e->flags & OPARI_ENTRY_DOCKED))
        return;
    struct opari_task *k = e->of.task;
    int master = k->index == 0;
    if (opari_implicit_ends_at_once(t, e)) {
        opari_clear_exit_frame(k);
        opari_implicit_over(t);
        if (!master)
            opari_self->state = ompt_state_idle;
        return;
    }
    if (!master && opari_tools.count > opari_own_tools)
        opari_mark_outlasting(e);
    opari_dock(t, p->ra);
}

/* The calling thread, in a team of several, has arrived at the end of a merged region. Its implicit
 * task is the innermost entry. */
OPARI_INLINE void opari_merged_dock(struct opari_thread *t, const struct opari_parallel *p)
{
    OPARI_HANDS_OVER(t->task->parallel);
    opari_dock(t, p->ra);
}

/* Whether the end of the calling thread's part in region p can be raised at once. That holds for
 * the encountering thread after the last barrier. */
OPARI_INLINE int opari_parallel_ends_plain(const struct opari_thread *t,
                                           const struct opari_parallel *p)
{
    const struct opari_entry *e = t->top;
    return opari_is_record(e, OPARI_AT_IMPLICIT, p) && (e->flags & OPARI_ENTRY_DOCKED) == 0 &&
           opari_implicit_ends_at_once(t, e) && e->of.task->index == 0;
}

/* Gives back the record of a region that is over. Its fork is the innermost entry. */
OPARI_INLINE void opari_parallel_leave(struct opari_thread *t)
{
    opari_clear_enter_frame(t->task);
    struct opari_parallel *p = t->top->of.parallel;
    opari_pop(t, t->top);
    struct opari_parallel **list =
        OPARI_UNLIKELY(OPARI_ACQUIRE(&p->kept) != 0) ? &t->kept_parallels : &t->free_parallels;
    p->next = *list;
    *list = p;
}

/* Ends a merged region. Its fork is the innermost entry, and the state is already that of a thread
 * in the runtime. */
OPARI_INLINE void opari_merged_over(struct opari_thread *t)
{
    const ompt_callback_parallel_end_t end = (ompt_callback_parallel_end_t)OPARI_ACQUIRE(
        &opari_tools.callback[ompt_callback_parallel_end]);
    if (end != NULL)
        end(&t->top->of.parallel->data[0], &t->task->data[0],
            ompt_parallel_invoker_runtime | ompt_parallel_team, t->top->of.parallel->ra);
    opari_parallel_leave(opari_self);
}

/* Ends a region whose fork is the innermost entry. The end passes the code pointer of the begin, as
 * LLVM's runtime does: to a tool a region is one place. */
OPARI_INLINE void opari_parallel_over(struct opari_thread *t, struct opari_parallel *p)
{
    t->state = ompt_state_overhead;
    opari_raise_parallel_end(t, p, t->top->ra);
    opari_parallel_leave(opari_self);
}

static void opari_parallel_join(struct opari_thread *t, struct ompregdescr *d,
                                struct opari_parallel *p)
{
    OPARI_TAKES_OVER(p);
    struct opari_entry *e = t->top;
    /* The implicit task of the encountering thread ends here, at its real end. */
    if (e->what == OPARI_AT_IMPLICIT && (e->flags & OPARI_ENTRY_DOCKED) &&
        e->of.task->parallel == p)
        opari_implicit_end(t, e);
    if (!opari_seek_record(t, OPARI_AT_FORK, p))
        return;
    t->regions.event = d;
    t->state = ompt_state_overhead;
    if (OPARI_UNLIKELY(p->pending != NULL))
        opari_parallel_raise_begin(t, p);
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_cancels)) && opari_tools.count > opari_own_tools)
        opari_team_discard(t, p);
    opari_parallel_over(t, p);
    t = opari_self;
    if (t->top == t->stack)
        opari_tasks_reclaim(t);
}
