/* instances_slow.c: parallel regions and tasks in unusual states. The entry points of instances.c
 * and traced.c jump here.
 */
#include "../state/state.h"

/* Does the work of pomp_unready and pomp_no_room, then repeats the call. */
static OPARI_COLD void *pomp_unready_fork(struct ompregdescr *d, int if_value, int threads)
{
    struct opari_thread *t = opari_event_begin(d);
    const int room = t != NULL && opari_has_fork_room(t);
    if (t != NULL)
        opari_event_end();
    return room ? POMP_Parallel_fork(d, if_value, threads) : NULL;
}

/* The entry point jumps here too, so that it need not save these registers when only the recorder
 * observes. */
POMP_OUT_OF_LINE void *pomp_observed_fork(struct ompregdescr *d, int if_value, int num_threads)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit || t->free_parallels == NULL))
        return pomp_unready_fork(d, if_value, num_threads);
    opari_event_enter(t, d);
    void *handle = opari_parallel_fork(t, d, if_value & 1, num_threads, POMP_CALLER, POMP_FRAME);
    opari_event_end();
    return handle;
}

/* Raises the barrier of copyin, which the threads have passed by now, between the copying and the
 * body. Its wait is over when the event is raised. */
static OPARI_COLD void pomp_copied_in(struct opari_thread *t, const void *ra, void *frame)
{
    if (t->top->what != OPARI_AT_IMPLICIT || t->top->detail == 1)
        return;
    opari_implied_begin(t, ompt_sync_region_barrier_implicit_workshare,
                        ompt_state_wait_barrier_implicit_workshare, ra, frame);
    opari_implied_end(t);
}

typedef void (*pomp_instance_entry_t)(struct ompregdescr *d, void *handle);

/* Does the work of pomp_unready for calls with a handle. */
static OPARI_COLD void pomp_unready_instance(struct ompregdescr *d, void *handle,
                                             pomp_instance_entry_t entry)
{
    if (opari_thread_first() != NULL)
        entry(d, handle);
}

static OPARI_COLD void pomp_no_room_instance(struct opari_thread *t, struct ompregdescr *d,
                                             void *handle, pomp_instance_entry_t entry)
{
    const int room = opari_has_task_room(t);
    opari_event_end();
    if (room)
        entry(d, handle);
}

/* Begins the implicit task of a thread that has not begun before the program's call. With copyin it
 * also runs where the thread has begun. */
static OPARI_NOINLINE void pomp_parallel_begin_slow(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL)) {
        pomp_unready_instance(d, handle, pomp_parallel_begin_slow);
        return;
    }
    opari_event_enter(t, d);
    if (OPARI_UNLIKELY(t->top == t->limit || t->free_tasks == NULL)) {
        pomp_no_room_instance(t, d, handle, pomp_parallel_begin_slow);
        return;
    }
    opari_parallel_begin(t, d, handle, POMP_FRAME);
    if (OPARI_UNLIKELY((d->facts & POMP_HAS_COPY) != 0))
        pomp_copied_in(opari_self, POMP_CALLER, POMP_FRAME);
    opari_event_end();
}

/* This function and those below handle unusual states; the entry points jump to them. */
static OPARI_NOINLINE void pomp_parallel_end_slow(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    opari_parallel_end(t, d, handle);
    opari_event_end();
}

static OPARI_NOINLINE void pomp_parallel_join_slow(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    opari_parallel_join(t, d, handle);
    opari_event_end();
}

/* mergeable is not reported: no runtime merges tasks, and libomp does not report it either. A final
 * task makes final tasks, which are executed at once. Outside of any team, no thread could execute
 * a task later. */
OPARI_INLINE int pomp_task_flags(const struct opari_thread *t, const struct ompregdescr *d,
                                 int if_value, int final)
{
    const struct opari_task *k = t->task;
    int flags = if_value ? 0 : ompt_task_undeferred;
    flags |= final ? ompt_task_final : 0;
    flags |= d->facts & POMP_HAS_UNTIED ? ompt_task_untied : 0;
    if (OPARI_UNLIKELY((k->flags & ompt_task_final) != 0))
        flags |= ompt_task_final | ompt_task_undeferred;
    return k->parallel == &t->base_parallel ? flags | ompt_task_undeferred : flags;
}

static OPARI_COLD void *pomp_unready_task(struct ompregdescr *d, int if_value)
{
    struct opari_thread *t = opari_event_begin(d);
    const int room = t != NULL && opari_has_task_room(t);
    if (t != NULL)
        opari_event_end();
    return room ? POMP_Task_create_begin(d, if_value) : NULL;
}

/* The caller has made room for a task. */
static OPARI_NOINLINE void *pomp_create(struct opari_thread *t, struct ompregdescr *d, int if_value,
                                        const void *ra, void *frame)
{
    const int flags = pomp_task_flags(t, d, if_value, opari_announced(t, d) != 0);
    return opari_task_create_begin(t, d, flags, (d->facts & POMP_HAS_DEPEND) != 0, ra, frame);
}

/* Does the work of POMP_Task_create where the runtime's part or the flags of the task need more.
 * The program calls create_end. */
static OPARI_NOINLINE struct pomp_made pomp_create_slow(struct ompregdescr *d, int if_value)
{
    if (opari_lazy_was_put())
        return POMP_Task_create(d, if_value);
    struct pomp_made made = {NULL, NULL};
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return made;
    if (opari_has_task_room(t))
        made.task = pomp_create(t, d, if_value, POMP_CALLER, POMP_FRAME);
    opari_event_end();
    return made;
}

/* Handles unusual states of POMP_Task_create_end, which jumps here. */
static OPARI_NOINLINE void pomp_create_end_slow(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    if (opari_seek_record(t, OPARI_AT_CREATE, handle))
        opari_task_created(t);
    opari_event_end();
}

/* Begins a task on a thread that has to do something else first. */
static OPARI_COLD void pomp_task_begin_slow(struct ompregdescr *d, void *handle, void *frame)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    opari_task_before(t);
    if (opari_has_room(t))
        opari_task_begin(t, d, handle, frame);
    opari_event_end();
}

static OPARI_NOINLINE void pomp_task_end_slow(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    opari_task_end(t, handle);
    opari_event_end();
}
