/* tools.c: two tools on one bridge. The first logs every event with the state that it finds; both keep words of their own in threads, regions and
 * tasks and check that they find them again. The events are those of one thread in a team of one, then of two.
 */
#define _GNU_SOURCE 1
#include "../src/ompt_bridge.c"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOOLS = 2 };
static __thread int team_size = 1, team_index;
int omp_get_thread_num(void) { return team_index; }
int omp_get_num_threads(void) { return team_size; }
int omp_get_max_threads(void) { return 4; }

static struct {
    ompt_set_callback_t set;
    ompt_get_state_t state;
    ompt_get_thread_data_t thread_data;
    ompt_get_parallel_info_t parallel_info;
    ompt_get_task_info_t task_info;
    opari_get_region_t region;
    uint64_t words, finalized;
} tools[TOOLS];
static int quiet;

static void fail(const char *what)
{
    printf("FAILED: %s\n", what);
    exit(1);
}

static const char *state_name(int state)
{
    switch (state) {
    case ompt_state_work_serial: return "serial";
    case ompt_state_work_parallel: return "work";
    case ompt_state_overhead: return "overhead";
    case ompt_state_idle: return "idle";
    case ompt_state_wait_barrier_implicit_parallel: return "wait parallel";
    case ompt_state_wait_barrier_implicit_workshare: return "wait workshare";
    case ompt_state_wait_barrier_explicit: return "wait barrier";
    case ompt_state_wait_critical: return "wait critical";
    case ompt_state_wait_lock: return "wait lock";
    case ompt_state_wait_atomic: return "wait atomic";
    case ompt_state_wait_taskwait: return "wait taskwait";
    case ompt_state_wait_taskgroup: return "wait taskgroup";
    default: return "?";
    }
}

static void note(int tool, const char *what, int at)
{
    static const char *const point[] = {"", " begin", " end", " beginend"};
    ompt_wait_id_t wait_id;
    const struct opari_regions *r = tools[tool].region();
    if (tool != 0 || quiet)
        return;
    int state = tools[tool].state(&wait_id);
    printf("%s%s [%s%s] %s%s\n", what, point[at], state_name(state), wait_id ? ", wait id" : "", r->event ? r->event->name : "-",
           r->forced ? ", forced" : "");
}

/* A word is the tool's alone: zero when new, found again later. */
static void new_word(int tool, ompt_data_t *d)
{
    if (d->value != 0)
        fail("a new word is not zero");
    d->value = ++tools[tool].words * 10 + (uint64_t)tool + 1;
}

static void old_word(int tool, const ompt_data_t *d)
{
    if (d == NULL || d->value % 10 != (uint64_t)tool + 1)
        fail("a word is not the tool's");
}

static void inquire(int tool, const ompt_data_t *parallel, const ompt_data_t *task)
{
    ompt_data_t *p, *k;
    int size, flags;
    old_word(tool, tools[tool].thread_data());
    if (tools[tool].parallel_info(0, &p, &size) != 2 || (parallel && p != parallel) || size < 0)
        fail("ompt_get_parallel_info");
    if (tools[tool].task_info(0, &flags, &k, NULL, NULL, NULL) != 2 || (task && k != task) || flags == 0)
        fail("ompt_get_task_info");
}

#define TOOL(n)                                                                                                                \
    static void thread_begin_##n(ompt_thread_t type, ompt_data_t *d)                                                           \
    {                                                                                                                          \
        new_word(n, d);                                                                                                        \
        note(n, type == ompt_thread_initial ? "initial thread" : "thread", 1);                                                 \
    }                                                                                                                          \
    static void thread_end_##n(ompt_data_t *d) { old_word(n, d), note(n, "thread", 2); }                                       \
    static void parallel_begin_##n(ompt_data_t *k, const ompt_frame_t *f, ompt_data_t *p, unsigned want, int flags,            \
                                   const void *ra)                                                                             \
    {                                                                                                                          \
        char s[40];                                                                                                            \
        old_word(n, k), new_word(n, p);                                                                                        \
        if (f->enter_frame.ptr == NULL || ra == NULL || !(flags & ompt_parallel_team))                                         \
            fail("parallel_begin");                                                                                            \
        snprintf(s, sizeof s, "parallel of %u", want);                                                                         \
        note(n, s, 1);                                                                                                         \
    }                                                                                                                          \
    static void parallel_end_##n(ompt_data_t *p, ompt_data_t *k, int flags, const void *ra)                                    \
    {                                                                                                                          \
        (void)flags, (void)ra;                                                                                                 \
        old_word(n, p), old_word(n, k), note(n, "parallel", 2);                                                                \
    }                                                                                                                          \
    static void implicit_task_##n(ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *k, unsigned size, unsigned index,     \
                                  int flags)                                                                                   \
    {                                                                                                                          \
        char s[40];                                                                                                            \
        if (at == ompt_scope_begin)                                                                                            \
            new_word(n, k);                                                                                                    \
        else                                                                                                                   \
            old_word(n, k);                                                                                                    \
        if ((flags & ompt_task_initial) && at == ompt_scope_begin)                                                             \
            new_word(n, p);                                                                                                    \
        else if (at == ompt_scope_begin)                                                                                       \
            old_word(n, p);                                                                                                    \
        inquire(n, at == ompt_scope_begin ? p : NULL, k);                                                                      \
        snprintf(s, sizeof s, "%s task %u/%u", flags & ompt_task_initial ? "initial" : "implicit", index, size);               \
        note(n, s, (int)at);                                                                                                   \
    }                                                                                                                          \
    static void work_##n(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *k, uint64_t c,               \
                         const void *ra)                                                                                       \
    {                                                                                                                          \
        char s[40];                                                                                                            \
        (void)c, (void)ra;                                                                                                     \
        inquire(n, p, k);                                                                                                      \
        snprintf(s, sizeof s, "work %d", (int)type);                                                                           \
        note(n, s, (int)at);                                                                                                   \
    }                                                                                                                          \
    static void sync_##n(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *k, const void *ra)    \
    {                                                                                                                          \
        char s[40];                                                                                                            \
        (void)p, (void)ra;                                                                                                     \
        inquire(n, NULL, k);                                                                                                   \
        snprintf(s, sizeof s, "sync %d", (int)kind);                                                                           \
        note(n, s, (int)at);                                                                                                   \
    }                                                                                                                          \
    static void wait_##n(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *k, const void *ra)    \
    {                                                                                                                          \
        char s[40];                                                                                                            \
        (void)p, (void)ra;                                                                                                     \
        inquire(n, NULL, k);                                                                                                   \
        snprintf(s, sizeof s, "wait %d", (int)kind);                                                                           \
        note(n, s, (int)at);                                                                                                   \
    }                                                                                                                          \
    static void acquire_##n(ompt_mutex_t kind, unsigned h, unsigned i, ompt_wait_id_t id, const void *ra)                      \
    {                                                                                                                          \
        (void)kind, (void)h, (void)i, (void)id, (void)ra;                                                                      \
        note(n, "acquire", 0);                                                                                                 \
    }                                                                                                                          \
    static void acquired_##n(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)                                             \
    {                                                                                                                          \
        (void)kind, (void)id, (void)ra;                                                                                        \
        note(n, "acquired", 0);                                                                                                \
    }                                                                                                                          \
    static void released_##n(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)                                             \
    {                                                                                                                          \
        (void)kind, (void)id, (void)ra;                                                                                        \
        note(n, "released", 0);                                                                                                \
    }                                                                                                                          \
    static void create_##n(ompt_data_t *k, const ompt_frame_t *f, ompt_data_t *t, int flags, int deps, const void *ra)         \
    {                                                                                                                          \
        (void)f, (void)flags, (void)deps, (void)ra;                                                                            \
        old_word(n, k), new_word(n, t), note(n, "create", 0);                                                                  \
    }                                                                                                                          \
    static void schedule_##n(ompt_data_t *a, ompt_task_status_t status, ompt_data_t *b)                                        \
    {                                                                                                                          \
        char s[40];                                                                                                            \
        old_word(n, a), old_word(n, b);                                                                                        \
        snprintf(s, sizeof s, "schedule %d", (int)status);                                                                     \
        note(n, s, 0);                                                                                                         \
    }                                                                                                                          \
    static void region_##n(ompt_scope_endpoint_t at, opari_region_class_t c, ompt_data_t *p, ompt_data_t *k, const void *u,    \
                           const void *ra)                                                                                     \
    {                                                                                                                          \
        (void)c, (void)u, (void)ra;                                                                                            \
        inquire(n, p, k);                                                                                                      \
        note(n, "region", (int)at);                                                                                            \
    }                                                                                                                          \
    static int initialize_##n(ompt_function_lookup_t lookup, int device, ompt_data_t *data)                                    \
    {                                                                                                                          \
        (void)device, (void)data;                                                                                              \
        if (lookup("no such entry point") != NULL)                                                                             \
            fail("an unknown entry point is found");                                                                           \
        tools[n].set = (ompt_set_callback_t)lookup("ompt_set_callback");                                                       \
        tools[n].state = (ompt_get_state_t)lookup("ompt_get_state");                                                           \
        tools[n].thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");                                         \
        tools[n].parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");                                   \
        tools[n].task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");                                               \
        tools[n].region = (opari_get_region_t)lookup("opari_get_region");                                                      \
        if (tools[n].set((ompt_callbacks_t)4711, (ompt_callback_t)thread_end_##n) != ompt_set_error)                           \
            fail("an unknown event can be set");                                                                               \
        tools[n].set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin_##n);                                           \
        tools[n].set(ompt_callback_thread_end, (ompt_callback_t)thread_end_##n);                                               \
        tools[n].set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin_##n);                                       \
        tools[n].set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end_##n);                                           \
        tools[n].set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task_##n);                                         \
        tools[n].set(ompt_callback_work, (ompt_callback_t)work_##n);                                                           \
        tools[n].set(ompt_callback_sync_region, (ompt_callback_t)sync_##n);                                                    \
        tools[n].set(ompt_callback_sync_region_wait, (ompt_callback_t)wait_##n);                                               \
        tools[n].set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire_##n);                                               \
        tools[n].set(ompt_callback_mutex_acquired, (ompt_callback_t)acquired_##n);                                             \
        tools[n].set(ompt_callback_mutex_released, (ompt_callback_t)released_##n);                                             \
        tools[n].set(ompt_callback_task_create, (ompt_callback_t)create_##n);                                                  \
        tools[n].set(ompt_callback_task_schedule, (ompt_callback_t)schedule_##n);                                              \
        tools[n].set((ompt_callbacks_t)opari_callback_region, (ompt_callback_t)region_##n);                                    \
        return 1;                                                                                                              \
    }                                                                                                                          \
    static void finalize_##n(ompt_data_t *data) { (void)data, tools[n].finalized++; }                                          \
    static ompt_start_tool_result_t *start_##n(unsigned version, const char *runtime)                                          \
    {                                                                                                                          \
        static ompt_start_tool_result_t r = {initialize_##n, finalize_##n, {0}};                                               \
        return version >= 201811 && runtime ? &r : NULL;                                                                       \
    }
TOOL(0)
TOOL(1)

static struct ompregdescr par = {.name = "parallel"}, loop = {.name = "for"}, crit = {.name = "critical"}, task = {.name = "task"},
                          single = {.name = "single"}, barrier = {.name = "barrier"}, user = {.name = "user"}, group = {.name = "group"};
static const void *const here = &par;

#define EVENT(d, call)                                                                                                         \
    do {                                                                                                                       \
        struct opari_thread *t = opari_event_begin(&d);                                                                        \
        if (t != NULL) {                                                                                                       \
            call;                                                                                                              \
            opari_event_end();                                                                                                 \
        }                                                                                                                      \
    } while (0)
#define LEAVE(d, what, call) EVENT(d, if (opari_seek(t, &d, what)) call)

static void body(void)
{
    EVENT(loop, opari_work_enter(t, &loop, ompt_work_loop, 0, here));
    EVENT(loop, opari_work_before_barrier(t, here); opari_lazy_sync_enter(t, &loop, ompt_sync_region_barrier_implicit_workshare,
                                 ompt_state_wait_barrier_implicit_workshare, here, &team_size); opari_lazy_put_now(t, OPARI_LAZY_BARRIER));
    LEAVE(loop, OPARI_AT_BARRIER, opari_sync_exit(t, 0));
    LEAVE(loop, OPARI_AT_WORK, opari_work_exit(t, here));
    EVENT(crit, opari_lazy_mutex_enter(t, &crit, ompt_mutex_critical, ompt_state_wait_critical, 42, 0, here); opari_lazy_put_now(t, OPARI_LAZY_CRITICAL_ASKED));
    LEAVE(crit, OPARI_AT_MUTEX, opari_mutex_begin(t, ompt_mutex_critical));
    LEAVE(crit, OPARI_AT_MUTEX, opari_mutex_exit(t, ompt_mutex_critical, here));
    EVENT(single, opari_region_enter(t, &single, OPARI_AT_SINGLE, opari_region_work, -1, NULL, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_begin(t, here));
    LEAVE(single, OPARI_AT_SINGLE_BODY, opari_single_end(t, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_exit(t, here));
    struct opari_task *k = NULL;
    EVENT(task, opari_has_task_room(t); k = opari_task_create_begin(t, &task, 0, 0, here, &k));
    EVENT(task, opari_task_create_end(t));
    EVENT(group, opari_taskgroup_enter(t, &group, here));
    LEAVE(group, OPARI_AT_TASKGROUP, opari_taskgroup_end(t, here, &k));
    EVENT(task, opari_task_begin(t, &task, k, &k));
    EVENT(task, opari_task_end(t, k));
    LEAVE(group, OPARI_AT_TASKGROUP, opari_taskgroup_exit(t, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_region_exit(t, opari_region_work, NULL, here)); /* of nothing: ignored */
    /* The block is left from within, with something open in it; the construct itself is left in due order. */
    EVENT(single, opari_region_enter(t, &single, OPARI_AT_SINGLE, opari_region_work, -1, NULL, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_begin(t, here));
    EVENT(crit, opari_lazy_mutex_enter(t, &crit, ompt_mutex_critical, ompt_state_wait_critical, 42, 0, here); opari_lazy_put_now(t, OPARI_LAZY_CRITICAL_ASKED));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_exit(t, here));
    /* Left open: what follows shows it. */
    EVENT(user, opari_region_enter(t, &user, OPARI_AT_USER, opari_region_work, -1, NULL, here));
    EVENT(loop, opari_work_enter(t, &loop, ompt_work_loop, 0, here));
    EVENT(single, opari_region_enter(t, &single, OPARI_AT_SINGLE, opari_region_work, -1, NULL, here));
    LEAVE(single, OPARI_AT_SINGLE, opari_single_begin(t, here));
}

/* How often the thread holds a nestable lock: alone, several times, and others at once. */
static void nestable_locks(void)
{
    static const struct {
        ompt_wait_id_t lock;
        int change;
        unsigned depth; /* afterwards */
    } steps[] = {{16, 1, 1},  {16, -1, 0}, {16, 1, 1},  {16, 1, 2},  {16, -1, 1}, {16, -1, 0}, {16, 1, 1},  {32, 1, 1},
                 {16, 1, 2},  {32, -1, 0}, {16, -1, 1}, {16, -1, 0}, {16, 1, 1},  {32, 1, 1},  {16, -1, 0}, {32, 1, 2},
                 {32, -1, 1}, {32, -1, 0}, {32, -1, 0}, {16, 1, 1},  {16, 0, 1},  {32, 0, 0},  {16, -1, 0}, {16, 0, 0}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        unsigned depth = 99;
        const ompt_wait_id_t id = steps[i].lock;
        EVENT(crit, depth = steps[i].change > 0   ? opari_nest_set(t, id)
                            : steps[i].change < 0 ? opari_nest_unset(t, id)
                                                  : opari_nest_depth(t, id, 0));
        if (depth != steps[i].depth)
            fail("the depth of a nestable lock");
    }
    if (opari_self->nest_only != 0 || opari_self->nest_locks != 0)
        fail("a nestable lock is held");
}

static struct opari_parallel *team;

static void *worker(void *none)
{
    team_size = 2, team_index = 1;
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
    EVENT(par, opari_parallel_end(t, &par, team));
    return none;
}

int main(void)
{
    ompt_start_tool_result_t *(*const start[])(unsigned, const char *) = {start_0, start_1};
    if (opari_bridge_start(start, 2) != 2)
        fail("the tools do not start");
    printf("# a team of one\n");
    EVENT(par, opari_has_fork_room(t); team = opari_parallel_fork(t, &par, 1, 0, here, &team));
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
    body();
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    printf("# a team of two, the implicit barrier left implicit\n");
    team_size = 2;
    pthread_t other;
    EVENT(par, opari_has_fork_room(t); team = opari_parallel_fork(t, &par, 1, 2, here, &team));
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
    if (pthread_create(&other, NULL, worker, NULL) != 0)
        fail("no thread");
    pthread_join(other, NULL);
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    printf("# a team of one whose region is left from within a task's creation, a taskloop and a waiting taskgroup\n");
    team_size = 1;
    EVENT(par, opari_has_fork_room(t); team = opari_parallel_fork(t, &par, 1, 0, here, &team));
    EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
    EVENT(group, opari_taskgroup_enter(t, &group, here));
    LEAVE(group, OPARI_AT_TASKGROUP, opari_taskgroup_end(t, here, &team));
    EVENT(loop, opari_taskloop_enter(t, &loop, 1, 4, here));
    EVENT(task, opari_has_task_room(t); (void)opari_task_create_begin(t, &task, 0, 0, here, &team));
    EVENT(par, opari_parallel_end(t, &par, team));
    EVENT(par, opari_parallel_join(t, &par, team));
    printf("# 100,000 rounds in silence, then the end\n");
    quiet = 1;
    team_size = 1;
    for (int i = 0; i < 100000; i++) {
        EVENT(par, opari_has_fork_room(t); team = opari_parallel_fork(t, &par, 1, 0, here, &team));
        EVENT(par, opari_has_task_room(t); opari_parallel_begin(t, &par, team, &team));
        body();
        EVENT(par, opari_parallel_end(t, &par, team));
        EVENT(par, opari_parallel_join(t, &par, team));
    }
    quiet = 0;
    nestable_locks();
    opari_bridge_stop();
    if (tools[0].finalized != 1 || tools[1].finalized != 1 || tools[0].words != tools[1].words)
        fail("the tools have not seen the same");
    (void)barrier, (void)opari_bridge_fork, (void)opari_bridge_unload, (void)opari_bridge_flush, (void)rec_configure, (void)rec_start_tool;
    (void)opari_search_begin, (void)opari_search_end, (void)opari_bridge_on_first, (void)opari_control_tool;
    (void)opari_task_await, (void)opari_task_fulfill;
    return 0;
}
