/* events_2013.c: events for tools of the first generation. Each function is a callback of OpenMP
 * 5.x. Numbers identify the records, and the tool's data words hold them. */
#include "../core/bridge.h"

typedef void (*opari_2013_plain_t)(void);
typedef void (*opari_2013_id_t)(uint64_t);             /* a thread, a task, a wait id */
typedef void (*opari_2013_pair_t)(uint64_t, uint64_t); /* region and task; two tasks; a command */
typedef void (*opari_2013_thread_t)(int, uint64_t);
typedef void (*opari_2013_workshare_t)(uint64_t, uint64_t, void *);
typedef void (*opari_2013_new_parallel_t)(uint64_t, const ompt_frame_t *, uint64_t, uint32_t,
                                          void *);
typedef void (*opari_2013_new_task_t)(uint64_t, const ompt_frame_t *, uint64_t, void *);

#define OPARI_2013(name, type, ...) \
    OPARI_OLDER(opari_2013_##type##_t, OPARI_2013_##name, __VA_ARGS__)

static uint64_t opari_2013_own_region(void) { return opari_own_region(opari_self)->value; }

/* begin is the number of a pair's first event. The second event has the next number. */
static void opari_2013_pair(int begin, ompt_scope_endpoint_t at, const ompt_data_t *task)
{
    OPARI_OLDER(opari_2013_pair_t, begin + (at == ompt_scope_end), opari_2013_own_region(),
                task->value);
}

static void opari_2013_raise_idle(const struct opari_thread *t, ompt_scope_endpoint_t at)
{
    OPARI_OLDER(opari_2013_id_t,
                at == ompt_scope_begin ? OPARI_2013_idle_begin : OPARI_2013_idle_end,
                t->data[opari_older.tool].value);
}

static void opari_2013_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    thread->value = opari_get_unique_id();
    opari_note(thread)->value = 0;
    opari_self->data[OPARI_WORDS].value = opari_self->base_task.data[OPARI_WORDS].value = 0;
    OPARI_2013(thread_begin, thread, (int)type, thread->value);
}

static void opari_2013_thread_end(ompt_data_t *thread)
{
    opari_idle(opari_self, ompt_scope_end);
    OPARI_2013(thread_end, thread, opari_self->type, thread->value);
}

/* A league of teams is no parallel region. The function that the compiler made of a region is known
 * where the library intercepts the runtime; elsewhere it is null. */
static void opari_2013_parallel_begin(ompt_data_t *parent, const ompt_frame_t *frame,
                                      ompt_data_t *parallel, unsigned requested, int flags,
                                      const void *ra)
{
    (void)ra;
    if (flags & ompt_parallel_league)
        return;
    parallel->value = opari_get_unique_id();
    OPARI_2013(parallel_begin, new_parallel, parent->value, frame, parallel->value, requested,
               opari_note(parallel)->ptr);
}

static void opari_2013_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                                    const void *ra)
{
    (void)ra;
    if ((flags & ompt_parallel_league) == 0)
        OPARI_2013(parallel_end, pair, parallel->value, task->value);
}

/* An implicit task ends before the barrier of its region, in the state of working. The event comes
 * once: there, or later where there is no such barrier. */
static void opari_2013_implicit_end(ompt_data_t *task)
{
    struct opari_thread *t = opari_self;
    if (opari_note(task)->value != 0)
        return;
    opari_note(task)->value = 1;
    int state = t->state;
    t->state = ompt_state_work_parallel;
    OPARI_2013(implicit_task_end, pair, opari_2013_own_region(), task->value);
    t->state = state;
}

static void opari_2013_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel,
                                     ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    (void)parallel, (void)size, (void)index;
    if (at == ompt_scope_begin)
        task->value = opari_get_unique_id();
    if (flags & ompt_task_initial) {
        OPARI_OLDER(opari_2013_pair_t,
                    at == ompt_scope_begin ? OPARI_2013_initial_task_begin
                                           : OPARI_2013_initial_task_end,
                    0, task->value);
    } else if (at == ompt_scope_begin) {
        opari_idle(opari_self, ompt_scope_end);
        OPARI_2013(implicit_task_begin, pair, opari_2013_own_region(), task->value);
    } else {
        opari_2013_implicit_end(task);
        opari_implicit_ended(opari_self);
    }
}

/* Raised at the creation, as the paper's words say; runtimes of 2015 raised it when the task
 * started. The task's function is known only later. taskwait with dependences is no task in this
 * generation. */
static void opari_2013_task_create(ompt_data_t *parent, const ompt_frame_t *frame,
                                   ompt_data_t *task, int flags, int dependences, const void *ra)
{
    (void)dependences, (void)ra;
    task->value = opari_get_unique_id();
    if ((flags & ompt_task_taskwait) == 0)
        OPARI_2013(task_begin, new_task, parent->value, frame, task->value, NULL);
}

/* A task that was discarded before it began ends without a switch. */
static void opari_2013_task_schedule(ompt_data_t *prior, ompt_task_status_t status,
                                     ompt_data_t *next)
{
    if (status == ompt_task_early_fulfill || status == ompt_taskwait_complete)
        return;
    if (status == ompt_task_complete || status == ompt_task_cancel ||
        status == ompt_task_late_fulfill)
        OPARI_2013(task_end, id, prior->value);
    int ran =
        status != ompt_task_cancel || OPARI_LOAD(&opari_task_of(prior)->life) == OPARI_TASK_RUNNING;
    if (next != NULL && ran)
        OPARI_2013(task_switch, pair, prior->value, next->value);
}

static void opari_2013_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                            ompt_data_t *task, uint64_t count, const void *ra)
{
    static const unsigned char begins[] = {
        [ompt_work_loop] = OPARI_2013_loop_begin,
        [ompt_work_sections] = OPARI_2013_sections_begin,
        [ompt_work_single_executor] = OPARI_2013_single_in_block_begin,
        [ompt_work_single_other] = OPARI_2013_single_others_begin,
        [ompt_work_workshare] = OPARI_2013_workshare_begin,
    };
    (void)count, (void)ra;
    if ((int)type >= (int)sizeof begins)
        return;
    if (at == ompt_scope_end || type == ompt_work_single_other)
        opari_2013_pair(begins[type], at, task);
    else
        OPARI_OLDER(opari_2013_workshare_t, begins[type], parallel->value, task->value,
                    opari_note(parallel)->ptr);
}

static void opari_2013_masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                              const void *ra)
{
    (void)parallel, (void)ra;
    if (opari_self->task->index == 0)
        opari_2013_pair(OPARI_2013_master_begin, at, task);
}

static void opari_2013_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                                   ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel, (void)ra;
    if (kind == ompt_sync_region_barrier_teams)
        return; /* a league has no barrier either */
    if (kind == ompt_sync_region_barrier_implicit_parallel && at == ompt_scope_begin)
        opari_2013_implicit_end(task);
    opari_2013_pair(kind == ompt_sync_region_taskwait    ? OPARI_2013_taskwait_begin
                    : kind == ompt_sync_region_taskgroup ? OPARI_2013_taskgroup_begin
                                                         : OPARI_2013_barrier_begin,
                    at, task);
}

static void opari_2013_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                                        ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel, (void)ra;
    if (kind == ompt_sync_region_barrier_teams)
        return; /* a league has no barrier either */
    opari_2013_pair(kind == ompt_sync_region_taskwait    ? OPARI_2013_wait_taskwait_begin
                    : kind == ompt_sync_region_taskgroup ? OPARI_2013_wait_taskgroup_begin
                                                         : OPARI_2013_wait_barrier_begin,
                    at, task);
}

/* The owner of a nestable lock does not wait, nor does a thread that only tests a lock. */
static void opari_2013_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl,
                                     ompt_wait_id_t id, const void *ra)
{
    (void)hint, (void)impl, (void)ra;
    if (kind == ompt_mutex_lock)
        OPARI_2013(wait_lock, id, id);
    else if (kind == ompt_mutex_nest_lock && !opari_owns((int)kind, id))
        OPARI_2013(wait_nest_lock, id, id);
    else if (kind == ompt_mutex_critical)
        OPARI_2013(wait_critical, id, id);
    else if (kind == ompt_mutex_ordered)
        OPARI_2013(wait_ordered, id, id);
}

static void opari_2013_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)ra;
    if (kind == ompt_mutex_lock || kind == ompt_mutex_test_lock)
        OPARI_2013(acquired_lock, id, id);
    else if (kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock)
        OPARI_2013(acquired_nest_lock_first, id, id);
    else if (kind == ompt_mutex_critical)
        OPARI_2013(acquired_critical, id, id);
    else if (kind == ompt_mutex_ordered)
        OPARI_2013(acquired_ordered, id, id);
}

static void opari_2013_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)ra;
    if (kind == ompt_mutex_lock)
        OPARI_2013(release_lock, id, id);
    else if (kind == ompt_mutex_nest_lock)
        OPARI_2013(release_nest_lock_last, id, id);
    else if (kind == ompt_mutex_critical)
        OPARI_2013(release_critical, id, id);
    else if (kind == ompt_mutex_ordered)
        OPARI_2013(release_ordered, id, id);
}

static void opari_2013_nest_lock(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra)
{
    (void)ra;
    if (at == ompt_scope_begin)
        OPARI_2013(acquired_nest_lock_next, id, id);
    else
        OPARI_2013(release_nest_lock_prev, id, id);
}

static void opari_2013_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                                 const void *ra)
{
    (void)hint, (void)impl, (void)ra;
    OPARI_OLDER(opari_2013_id_t,
                kind == ompt_mutex_nest_lock ? OPARI_2013_init_nest_lock : OPARI_2013_init_lock,
                id);
}

static void opari_2013_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)ra;
    OPARI_OLDER(
        opari_2013_id_t,
        kind == ompt_mutex_nest_lock ? OPARI_2013_destroy_nest_lock : OPARI_2013_destroy_lock, id);
}

static void opari_2013_flush(ompt_data_t *thread, const void *ra)
{
    (void)thread, (void)ra;
    opari_2013_plain_t call = (opari_2013_plain_t)opari_older.call[OPARI_2013_flush];
    if (call != NULL)
        call();
}

static int opari_2013_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    (void)arg, (void)ra;
    OPARI_2013(control, pair, command, modifier);
    return opari_older.call[OPARI_2013_control] != NULL ? 0 : -1; /* omp_control_tool_nocallback */
}

#define OPARI_X(name) {ompt_callback_##name, (ompt_callback_t)opari_2013_##name}
static const struct opari_hook opari_2013_hooks[] = {
    OPARI_X(thread_begin),     OPARI_X(thread_end),
    OPARI_X(parallel_begin),   OPARI_X(parallel_end),
    OPARI_X(task_create),      OPARI_X(task_schedule),
    OPARI_X(implicit_task),    OPARI_X(work),
    OPARI_X(masked),           OPARI_X(sync_region),
    OPARI_X(sync_region_wait), OPARI_X(mutex_acquire),
    OPARI_X(mutex_acquired),   OPARI_X(mutex_released),
    OPARI_X(nest_lock),        OPARI_X(lock_init),
    OPARI_X(lock_destroy),     OPARI_X(flush),
    OPARI_X(control_tool),     {0, NULL},
};
#undef OPARI_X
