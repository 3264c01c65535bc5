/* older.c: one script of events for a tool of an older generation, which is linked beside: the same as tools.c has, and what these
 * generations report in another way. Two threads take turns, so the log is the same in each run.
 */
#define _GNU_SOURCE 1
#include "../src/ompt_bridge.c"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static __thread int team_size = 1, team_index;
int omp_get_thread_num(void) { return team_index; }
int omp_get_num_threads(void) { return team_size; }
int omp_get_max_threads(void) { return 4; }

static struct ompregdescr par = {.name = "parallel"}, loop = {.name = "for"}, crit = {.name = "critical"}, task = {.name = "task"},
                          single = {.name = "single"}, wait = {.name = "taskwait"}, group = {.name = "taskgroup"}, mask = {.name = "masked"};
static const void *const here = &par;
static struct opari_parallel *team;

#define EVENT(d, call)                                                                                                         \
    do {                                                                                                                       \
        struct opari_thread *t = opari_event_begin(&d);                                                                        \
        if (t != NULL) {                                                                                                       \
            call;                                                                                                              \
            opari_event_end();                                                                                                 \
        }                                                                                                                      \
    } while (0)
#define LEAVE(d, what, call) EVENT(d, if (opari_seek(t, &d, what)) call)

static void work(int type)
{
    EVENT(loop, opari_work_enter(t, &loop, type, 8, here));
    LEAVE(loop, OPARI_AT_WORK, opari_work_exit(t, here));
}

static void barrier(struct ompregdescr *d, int kind, int state)
{
    if (kind == ompt_sync_region_barrier_implicit_parallel)
        EVENT(*d, opari_work_before_barrier(t, here); opari_last_barrier_enter(t, d, here, &team_size));
    else
        EVENT(*d, opari_work_before_barrier(t, here); opari_lazy_sync_enter(t, d, kind, state, here, &team_size); opari_lazy_put_now(t, OPARI_LAZY_BARRIER));
    LEAVE(*d, OPARI_AT_BARRIER, opari_sync_exit(t, 0));
}

/* A lock, a nestable one taken twice, and both tried. */
static void locks(void)
{
    EVENT(crit, opari_raise_lock_init(ompt_mutex_lock, 0, 11, here));
    EVENT(crit, opari_raise_lock_init(ompt_mutex_nest_lock, 2, 12, here));
    EVENT(crit, opari_raise_mutex_acquire(ompt_mutex_lock, 0, 11, here));
    EVENT(crit, opari_raise_mutex_acquired(ompt_mutex_lock, 11, here));
    EVENT(crit, opari_raise_mutex_released(ompt_mutex_lock, 11, here));
    EVENT(crit, opari_raise_mutex_acquire(ompt_mutex_test_lock, 0, 11, here));
    EVENT(crit, opari_raise_mutex_acquired(ompt_mutex_test_lock, 11, here));
    EVENT(crit, opari_raise_mutex_released(ompt_mutex_lock, 11, here));
    EVENT(crit, opari_raise_mutex_acquire(ompt_mutex_nest_lock, 0, 12, here));
    EVENT(crit, (void)opari_nest_depth(t, 12, 1); opari_raise_mutex_acquired(ompt_mutex_nest_lock, 12, here));
    EVENT(crit, opari_raise_mutex_acquire(ompt_mutex_nest_lock, 0, 12, here));
    EVENT(crit, (void)opari_nest_depth(t, 12, 1); opari_raise_nest_lock(ompt_scope_begin, 12, here));
    EVENT(crit, (void)opari_nest_depth(t, 12, -1); opari_raise_nest_lock(ompt_scope_end, 12, here));
    EVENT(crit, (void)opari_nest_depth(t, 12, -1); opari_raise_mutex_released(ompt_mutex_nest_lock, 12, here));
    EVENT(crit, opari_raise_mutex_acquire(ompt_mutex_test_nest_lock, 0, 12, here));
    EVENT(crit, opari_raise_lock_destroy(ompt_mutex_lock, 11, here));
    EVENT(crit, opari_raise_lock_destroy(ompt_mutex_nest_lock, 12, here));
}

/* Two tasks of which the second has to wait for the first. */
static void dependent_tasks(void)
{
    static const ompt_dependence_t out = {{.ptr = &par}, ompt_dependence_type_out};
    struct opari_task *k[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        EVENT(task, opari_has_task_room(t); k[i] = opari_task_create_begin(t, &task, 0, 1, here, &k); opari_depends(t, k[i], &out, 1));
        EVENT(task, opari_task_create_end(t));
    }
    for (int i = 0; i < 2; i++) {
        EVENT(task, opari_task_begin(t, &task, k[i], &k));
        EVENT(task, opari_task_end(t, k[i]));
    }
}

/* In a group: a task that runs, one that waits for an event, one that is discarded; and a taskwait that is a task in 5.x only. */
static void tasks(void)
{
    static const ompt_dependence_t deps[] = {
        {{.ptr = &par}, ompt_dependence_type_in},   {{.ptr = &par}, ompt_dependence_type_out},    {{.ptr = &par}, ompt_dependence_type_inoutset},
        {{.value = 3}, ompt_dependence_type_sink},
    };
    struct opari_task *k = NULL;
    EVENT(group, opari_taskgroup_enter(t, &group, here));
    EVENT(task, opari_has_task_room(t); k = opari_task_create_begin(t, &task, 0, 1, here, &k); opari_raise_dependences(k, deps, 4));
    EVENT(task, opari_task_create_end(t));
    EVENT(wait, opari_lazy_sync_enter(t, &wait, ompt_sync_region_taskwait, ompt_state_wait_taskwait, here, &k); opari_lazy_put_now(t, OPARI_LAZY_TASKWAIT));
    EVENT(task, opari_task_begin(t, &task, k, &k));
    EVENT(task, opari_task_end(t, k));
    LEAVE(wait, OPARI_AT_TASKWAIT, opari_sync_exit(t, ompt_sync_region_taskwait));
    EVENT(task, opari_has_task_room(t); k = opari_task_create_begin(t, &task, 0, 0, here, &k));
    EVENT(task, opari_task_await(k, 5));
    EVENT(task, opari_task_create_end(t));
    EVENT(task, opari_task_begin(t, &task, k, &k));
    EVENT(task, opari_task_end(t, k));
    EVENT(task, opari_task_fulfill(t, 5));
    EVENT(task, opari_has_task_room(t); k = opari_task_create_begin(t, &task, 0, 0, here, &k));
    EVENT(task, opari_task_create_end(t));
    opari_cancels = 1;
    LEAVE(group, OPARI_AT_TASKGROUP, opari_taskgroup_end(t, here, &k));
    LEAVE(group, OPARI_AT_TASKGROUP, opari_taskgroup_exit(t, here));
    EVENT(wait, (void)opari_has_task(t); k = opari_task_take(t); k->flags = ompt_task_taskwait; k->parallel = t->task->parallel;
          opari_raise_task_create(t, k, 1, here); opari_raise_dependences(k, deps, 1); opari_raise_taskwait_done(k); opari_task_put(t, k));
}

static void body(void)
{
    EVENT(loop, opari_work_enter(t, &loop, ompt_work_loop, 8, here));
    barrier(&loop, ompt_sync_region_barrier_implicit_workshare, ompt_state_wait_barrier_implicit_workshare);
    LEAVE(loop, OPARI_AT_WORK, opari_work_exit(t, here));
    for (int type = ompt_work_sections; type <= ompt_work_scope; type++)
        if (type != ompt_work_single_executor && type != ompt_work_single_other && type != ompt_work_taskloop)
            work(type);
    EVENT(crit, opari_lazy_mutex_enter(t, &crit, ompt_mutex_critical, ompt_state_wait_critical, 42, 0, here); opari_lazy_put_now(t, OPARI_LAZY_CRITICAL_ASKED));
    LEAVE(crit, OPARI_AT_MUTEX, opari_mutex_begin(t, ompt_mutex_critical));
    LEAVE(crit, OPARI_AT_MUTEX, opari_mutex_exit(t, ompt_mutex_critical, here));
    EVENT(crit, opari_lazy_mutex_enter(t, &crit, ompt_mutex_ordered, ompt_state_wait_ordered, 43, 0, here); opari_lazy_put_now(t, OPARI_LAZY_ORDERED_ASKED));
    LEAVE(crit, OPARI_AT_MUTEX, opari_mutex_begin(t, ompt_mutex_ordered));
    LEAVE(crit, OPARI_AT_MUTEX, opari_mutex_exit(t, ompt_mutex_ordered, here));
    EVENT(single, opari_region_enter(t, &single, OPARI_AT_SINGLE, opari_region_work, -1, NULL, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_begin(t, here));
    LEAVE(single, OPARI_AT_SINGLE_BODY, opari_single_end(t, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_exit(t, here));
    EVENT(mask, opari_masked_begin(t, &mask, here));
    LEAVE(mask, OPARI_AT_MASKED, opari_masked_end(t, here));
    EVENT(mask, opari_raise_flush(t, here));
    EVENT(mask, (void)opari_control_tool(1, 2, NULL, here));
    tasks();
    dependent_tasks();
    locks();
    EVENT(loop, opari_work_enter(t, &loop, ompt_work_loop, 0, here)); /* left open */
}

static pthread_barrier_t turn;
static void next_turn(void) { (void)pthread_barrier_wait(&turn); }

/* Its first region ends in an implicit barrier, its second one in one that was made explicit; the third has work for one thread only. */
static void *worker(void *none)
{
    team_size = 2, team_index = 1;
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
    EVENT(mask, opari_masked_begin(t, &mask, here)); /* by the rule of masked: no master */
    LEAVE(mask, OPARI_AT_MASKED, opari_masked_end(t, here));
    EVENT(single, opari_region_enter(t, &single, OPARI_AT_SINGLE, opari_region_work, -1, NULL, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_exit(t, here));
    EVENT(par, opari_parallel_end(t, &par, team));
    next_turn();
    next_turn();
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
    barrier(&par, ompt_sync_region_barrier_implicit_parallel, ompt_state_wait_barrier_implicit_parallel);
    EVENT(par, opari_parallel_end(t, &par, team));
    next_turn();
    return none;
}

static void fork_team(int size)
{
    team_size = 1;
    EVENT(par, opari_has_fork_room(t); team = opari_parallel_fork(t, &par, 1, size, here, &team));
    team_size = size;
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
}

int main(void)
{
    struct opari_search search = {NULL, NULL, NULL, NULL, "5.0"}; /* the dialect is none of an older tool's */
    pthread_t other;
    opari_bridge_open();
    if (!opari_search_begin(&search) || !opari_search_end())
        return 1;
    fork_team(1);
    body();
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    team_size = 1; /* teams with a parallel region inside: these generations see the latter alone */
    struct opari_parallel *league = NULL;
    EVENT(mask, league = opari_league_begin(t, &mask, 1, here, &league));
    EVENT(mask, opari_league_task_begin(t, league, 1, 0, &league));
    fork_team(1);
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    EVENT(mask, opari_league_task_end(t, league));
    EVENT(mask, opari_parallel_join(t, &mask, league));
    pthread_barrier_init(&turn, NULL, 2);
    fork_team(2);
    if (pthread_create(&other, NULL, worker, NULL) != 0)
        return 1;
    next_turn();
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    fork_team(2);
    next_turn();
    next_turn();
    pthread_join(other, NULL);
    barrier(&loop, ompt_sync_region_barrier_explicit, ompt_state_wait_barrier_explicit);
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    opari_bridge_stop();
    return 0;
}
