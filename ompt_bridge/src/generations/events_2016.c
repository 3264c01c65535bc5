/* events_2016.c: events for tools of the technical report of May 2016 (sections 3 and A.4). Each
 * function is a callback of OpenMP 5.x. */
#include "../core/bridge.h"

#include <stdlib.h>

/* The report's frame consists of the first two words of 5.x's. */
_Static_assert(offsetof(ompt_frame_t, exit_frame) == 0 &&
                   offsetof(ompt_frame_t, enter_frame) == sizeof(void *),
               "frames");

/* A.3 */
enum {
    OPARI_2016_TASK_INITIAL = 1,
    OPARI_2016_TASK_IMPLICIT = 2,
    OPARI_2016_TASK_EXPLICIT = 3,
    OPARI_2016_TASK_TARGET = 4,
    OPARI_2016_BARRIER = 1,
    OPARI_2016_TASKWAIT = 2,
    OPARI_2016_TASKGROUP = 3,
    OPARI_2016_OUT = 1,
    OPARI_2016_IN = 2,
    OPARI_2016_INOUT = 3
};

typedef struct opari_2016_dependence {
    void *variable;
    uint32_t flags;
} opari_2016_dependence_t;

typedef void (*opari_2016_thread_begin_t)(int, ompt_data_t *);
typedef void (*opari_2016_thread_end_t)(ompt_data_t *);
typedef void (*opari_2016_idle_t)(int);
typedef void (*opari_2016_parallel_begin_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *,
                                            uint32_t, int, const void *);
typedef void (*opari_2016_parallel_end_t)(ompt_data_t *, ompt_data_t *, int, const void *);
typedef void (*opari_2016_task_create_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int,
                                         const void *);
typedef void (*opari_2016_dependences_t)(ompt_data_t *, const opari_2016_dependence_t *, int);
typedef void (*opari_2016_dependence_pair_t)(ompt_data_t *, ompt_data_t *);
typedef void (*opari_2016_task_schedule_t)(ompt_data_t *, _Bool, ompt_data_t *);
typedef void (*opari_2016_implicit_t)(int, ompt_data_t *, ompt_data_t *);
/* Kind or type, endpoint. */
typedef void (*opari_2016_scoped_t)(int, int, ompt_data_t *, ompt_data_t *, const void *);
typedef void (*opari_2016_master_t)(int, ompt_data_t *, ompt_data_t *, const void *);
typedef void (*opari_2016_lock_init_t)(_Bool, ompt_wait_id_t, uint32_t, uint32_t, const void *);
typedef void (*opari_2016_lock_destroy_t)(_Bool, ompt_wait_id_t, const void *);
typedef void (*opari_2016_acquire_t)(int, uint32_t, uint32_t, ompt_wait_id_t, const void *);
typedef void (*opari_2016_mutex_t)(int, ompt_wait_id_t, const void *);
typedef void (*opari_2016_nested_lock_t)(int, ompt_wait_id_t, const void *);
typedef void (*opari_2016_control_t)(uint64_t, uint64_t, const void *);
typedef void (*opari_2016_flush_t)(ompt_data_t *, const void *);
typedef void (*opari_2016_target_t)(int32_t, int, ompt_data_t *, int, uint64_t, const void *);
typedef void (*opari_2016_target_data_t)(uint64_t, uint64_t, int, void *, void *, size_t);
typedef void (*opari_2016_target_data_map_t)(uint64_t, uint32_t, void **, void **, size_t *,
                                             uint32_t *);
typedef void (*opari_2016_target_submit_t)(uint64_t, uint64_t, uint32_t, uint32_t);

#define OPARI_2016(name, type, ...) \
    OPARI_OLDER(opari_2016_##type##_t, OPARI_2016_##name, __VA_ARGS__)

static void opari_2016_raise_idle(const struct opari_thread *t, ompt_scope_endpoint_t at)
{
    (void)t;
    OPARI_2016(idle, idle, (int)at);
}

static void opari_2016_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    opari_note(thread)->value = 0;
    OPARI_2016(thread_begin, thread_begin, (int)type, thread);
}

static void opari_2016_thread_end(ompt_data_t *thread)
{
    opari_idle(opari_self, ompt_scope_end);
    OPARI_2016(thread_end, thread_end, thread);
}

/* A league of teams is no parallel region. */
static void opari_2016_parallel_begin(ompt_data_t *parent, const ompt_frame_t *frame,
                                      ompt_data_t *parallel, unsigned requested, int flags,
                                      const void *ra)
{
    if ((flags & ompt_parallel_league) == 0)
        OPARI_2016(parallel_begin, parallel_begin, parent, frame, parallel, requested,
                   flags & (ompt_parallel_invoker_program | ompt_parallel_invoker_runtime), ra);
}

static void opari_2016_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                                    const void *ra)
{
    if ((flags & ompt_parallel_league) == 0)
        OPARI_2016(parallel_end, parallel_end, parallel, task,
                   flags & (ompt_parallel_invoker_program | ompt_parallel_invoker_runtime), ra);
}

/* taskwait with dependences is no task in this generation. */
static void opari_2016_task_create(ompt_data_t *parent, const ompt_frame_t *frame,
                                   ompt_data_t *task, int flags, int dependences, const void *ra)
{
    (void)dependences;
    if ((flags & ompt_task_taskwait) == 0)
        OPARI_2016(task_create, task_create, parent, frame, task,
                   flags & ompt_task_target ? OPARI_2016_TASK_TARGET : OPARI_2016_TASK_EXPLICIT,
                   ra);
}

static int opari_2016_sync_kind(int kind)
{
    return kind == ompt_sync_region_taskwait    ? OPARI_2016_TASKWAIT
           : kind == ompt_sync_region_taskgroup ? OPARI_2016_TASKGROUP
                                                : OPARI_2016_BARRIER;
}

/* Raises the event in the current task's region: 5.x passes null for the end of the last
 * barrier. */
static OPARI_COLD void opari_2016_sync(int event, int kind, ompt_scope_endpoint_t at,
                                       ompt_data_t *task, const void *ra)
{
    OPARI_OLDER(opari_2016_scoped_t, event, opari_2016_sync_kind(kind), (int)at,
                opari_own_region(opari_self), task, ra);
}

/* A thread that waits raises no event (3.2.1). So the wait ends before another task begins within
 * it, and begins again after that task. */
static OPARI_COLD void opari_2016_stalls(struct opari_thread *t, ompt_data_t *task,
                                         ompt_scope_endpoint_t at)
{
    struct opari_task *was = t->task, *k = opari_task_of(task);
    const int kind = (int)k->data[OPARI_WORDS].value, state = t->state;
    if (kind == 0)
        return;
    t->task = k;
    if (k != was)
        t->state = t->top->state; /* the state in the other task's entry, which the thread returns
                                     to */
    opari_2016_sync(OPARI_2016_sync_region_wait, kind, at, task, NULL);
    t->task = was;
    t->state = state;
}

/* Raises the event in the context of the task that is scheduled. A task whose event is awaited is
 * suspended, and completes when that event is fulfilled. No task is scheduled at that time, so next
 * is the one that runs. */
static OPARI_COLD void opari_2016_task_schedule(ompt_data_t *prior, ompt_task_status_t status,
                                                ompt_data_t *next)
{
    if (status == ompt_task_early_fulfill || status == ompt_taskwait_complete)
        return;
    _Bool completed = status == ompt_task_complete || status == ompt_task_cancel ||
                      status == ompt_task_late_fulfill;
    struct opari_thread *t = opari_self;
    struct opari_task *was = t->task;
    if (next == NULL)
        next = &was->data[opari_older.tool];
    /* next begins; or prior ends elsewhere, or without having begun. */
    const int stays = opari_task_of(next) == was;
    ompt_data_t *waits = stays && !completed ? prior : next;
    if (stays)
        opari_2016_stalls(t, waits, ompt_scope_end);
    t->task = opari_task_of(next);
    OPARI_2016(task_schedule, task_schedule, prior, completed, next);
    t->task = was;
    if (waits == next)
        opari_2016_stalls(t, waits, ompt_scope_begin);
}

static OPARI_COLD void opari_2016_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel,
                                                ompt_data_t *task, unsigned size, unsigned index,
                                                int flags)
{
    (void)size, (void)index;
    if (flags & ompt_task_initial)
        return;
    if (at == ompt_scope_begin)
        opari_idle(opari_self, ompt_scope_end);
    OPARI_2016(implicit_task, implicit, (int)at, opari_region_or_own(parallel), task);
    if (at == ompt_scope_end)
        opari_implicit_ended(opari_self);
}

/* The report's worksharing has no taskloop and no scope. */
static void opari_2016_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                            ompt_data_t *task, uint64_t count, const void *ra)
{
    (void)count;
    if (type <= ompt_work_distribute) /* the numbers are the same */
        OPARI_2016(worksharing, scoped, (int)type, (int)at, parallel, task, ra);
}

/* A masked region on another thread is no master region. */
static void opari_2016_masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                              const void *ra)
{
    if (opari_self->task->index == 0)
        OPARI_2016(master, master, (int)at, parallel, task, ra);
}

static void opari_2016_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                                   ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel;
    if (kind == ompt_sync_region_barrier_teams)
        return; /* a league has no barrier either */
    opari_2016_sync(OPARI_2016_sync_region, (int)kind, at, task, ra);
}

static void opari_2016_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                                        ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel;
    if (kind == ompt_sync_region_barrier_teams)
        return; /* a league has no barrier either */
    opari_task_of(task)->data[OPARI_WORDS].value = at == ompt_scope_begin ? (uint64_t)kind : 0;
    opari_2016_sync(OPARI_2016_sync_region_wait, (int)kind, at, task, ra);
}

static int opari_2016_mutex_kind(ompt_mutex_t kind)
{
    static const unsigned char kinds[] = {
        [ompt_mutex_lock] = 0x11,      [ompt_mutex_test_lock] = 0x11,
        [ompt_mutex_nest_lock] = 0x12, [ompt_mutex_test_nest_lock] = 0x12,
        [ompt_mutex_critical] = 0x13,  [ompt_mutex_atomic] = 0x14,
        [ompt_mutex_ordered] = 0x20,
    };
    return (int)kind < (int)sizeof kinds ? kinds[kind] : 0x10;
}

/* A test of a lock raises nothing, nor does a lock that the thread holds. */
static void opari_2016_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl,
                                     ompt_wait_id_t id, const void *ra)
{
    if (kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock &&
        !opari_owns((int)kind, id))
        OPARI_2016(mutex_acquire, acquire, opari_2016_mutex_kind(kind), hint, impl, id, ra);
}

static void opari_2016_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    OPARI_2016(mutex_acquired, mutex, opari_2016_mutex_kind(kind), id, ra);
}

static void opari_2016_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    OPARI_2016(mutex_release, mutex, opari_2016_mutex_kind(kind), id, ra);
}

static void opari_2016_nest_lock(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra)
{
    OPARI_2016(nested_lock, nested_lock, (int)at, id, ra);
}

static void opari_2016_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                                 const void *ra)
{
    OPARI_2016(init_lock, lock_init, kind == ompt_mutex_nest_lock, id, hint, impl, ra);
}

static void opari_2016_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    OPARI_2016(destroy_lock, lock_destroy, kind == ompt_mutex_nest_lock, id, ra);
}

/* Kinds of dependences that came later order like inout. A dependence of a doacross loop names no
 * object, so it is left out. */
static void opari_2016_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
    opari_2016_dependence_t few[64], *announced = few;
    int filled = 0, room = (int)(sizeof few / sizeof few[0]);
    if ((opari_task_of(task)->flags & ompt_task_taskwait) != 0 ||
        opari_older.call[OPARI_2016_task_dependences] == NULL)
        return;
    if (n > room && (announced = malloc((size_t)n * sizeof *announced)) == NULL)
        announced = few, n = room;
    for (int i = 0; i < n; i++) {
        ompt_dependence_type_t type = list[i].dependence_type;
        if (type == ompt_dependence_type_source || type == ompt_dependence_type_sink)
            continue;
        announced[filled].variable = list[i].variable.ptr;
        announced[filled].flags = type == ompt_dependence_type_in    ? OPARI_2016_IN
                                  : type == ompt_dependence_type_out ? OPARI_2016_OUT
                                                                     : OPARI_2016_INOUT;
        filled++;
    }
    if (filled > 0)
        OPARI_2016(task_dependences, dependences, task, announced, filled);
    if (announced != few)
        free(announced);
}

static void opari_2016_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
    if (((opari_task_of(source)->flags | opari_task_of(sink)->flags) & ompt_task_taskwait) == 0)
        OPARI_2016(task_dependence_pair, dependence_pair, source, sink);
}

static void opari_2016_flush(ompt_data_t *thread, const void *ra)
{
    OPARI_2016(flush, flush, thread, ra);
}

/* ompt_control passes on the arguments of omp_control_tool: the commands are the same. */
static int opari_2016_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    (void)arg;
    OPARI_2016(control, control, command, modifier, ra);
    return opari_older.call[OPARI_2016_control] != NULL ? 0 : -1; /* omp_control_tool_nocallback */
}

/* The kinds are the same, except those for nowait. */
static void opari_2016_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device,
                              ompt_data_t *task, ompt_id_t id, const void *ra)
{
    OPARI_2016(target, target, device, (int)kind & 7, task, (int)at, id, ra);
}

/* Raises only operations that result in activity: none where host and device share storage.
 * Association came later. */
static void opari_2016_target_data_op(ompt_id_t id, ompt_id_t operation, ompt_target_data_op_t type,
                                      void *source, int from, void *destination, int to,
                                      size_t bytes, const void *ra)
{
    const int back = opari_2016_moves_back((int)type);
    (void)from, (void)to, (void)ra;
    if (source != destination && type <= ompt_target_data_delete)
        OPARI_2016(target_data, target_data, id, operation, (int)type, back ? destination : source,
                   back ? source : destination, bytes);
}

static void opari_2016_target_map(ompt_id_t id, unsigned n, void **host, void **device,
                                  size_t *bytes, unsigned *flags, const void *ra)
{
    unsigned known[OPARI_MAPPED]; /* the report has no flag for implicit mapping; others read the
                                     original array later */
    (void)ra;
    for (unsigned i = 0; i < n; i++)
        known[i] = flags[i] & ~(unsigned)ompt_target_map_flag_implicit;
    OPARI_2016(target_data_map, target_data_map, id, n, host, device, bytes, known);
}

/* The callback needs the granted teams before they are known: a host grants what is requested, or
 * else one team. */
static void opari_2016_target_submit(ompt_id_t id, ompt_id_t operation, unsigned requested)
{
    OPARI_2016(target_submit, target_submit, id, operation, requested,
               requested != 0 ? requested : 1);
}

#define OPARI_X(name) {ompt_callback_##name, (ompt_callback_t)opari_2016_##name}
static const struct opari_hook opari_2016_hooks[] = {
    OPARI_X(thread_begin),
    OPARI_X(thread_end),
    OPARI_X(parallel_begin),
    OPARI_X(parallel_end),
    OPARI_X(task_create),
    OPARI_X(task_schedule),
    OPARI_X(implicit_task),
    OPARI_X(work),
    OPARI_X(masked),
    OPARI_X(sync_region),
    OPARI_X(sync_region_wait),
    OPARI_X(mutex_acquire),
    OPARI_X(mutex_acquired),
    OPARI_X(mutex_released),
    OPARI_X(nest_lock),
    OPARI_X(lock_init),
    OPARI_X(lock_destroy),
    OPARI_X(dependences),
    OPARI_X(flush),
    OPARI_X(control_tool),
    OPARI_X(task_dependence),
    OPARI_X(target),
    OPARI_X(target_data_op),
    OPARI_X(target_map),
    OPARI_X(target_submit),
    {0, NULL},
};
#undef OPARI_X
