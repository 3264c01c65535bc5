/* log2013.c: a chronological logger of the first generation of OMPT: every event with its arguments; ids are numbered as they appear, so the log
 * of a given program is the same in each run. New ids are checked to be new. The log goes to standard error at the end.
 */
#include "ompt_2013.h"

#include <stdio.h>
#include <string.h>

static ompt_get_state_t get_state;
static ompt_get_parallel_id_t get_parallel_id;
static ompt_get_task_id_t get_task_id;
static ompt_enumerate_state_t enumerate;
static char buffer[1 << 20];
static unsigned long used;
static int threads, ids;
static uint64_t known[1000];
static __thread int number = -1;

static const char *state_name(int wanted)
{
    int s = ompt_state_first;
    const char *name;
    while (enumerate(s, &s, &name))
        if (s == wanted)
            return name + strlen("ompt_state_");
    return "?";
}

#define LOG(...)                                                                                                               \
    do {                                                                                                                       \
        char line[400];                                                                                                        \
        ompt_wait_id_t wait_id = 0;                                                                                            \
        if (number < 0)                                                                                                        \
            number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);                                                        \
        int length = snprintf(line, sizeof line, "tid%d %s ", number, state_name((int)get_state(&wait_id)));                   \
        length += snprintf(line + length, sizeof line - (size_t)length, __VA_ARGS__);                                          \
        line[length++] = '\n';                                                                                                 \
        unsigned long where = __atomic_fetch_add(&used, (unsigned long)length, __ATOMIC_RELAXED);                              \
        if (where + (unsigned long)length <= sizeof buffer)                                                                    \
            memcpy(buffer + where, line, (size_t)length);                                                                      \
    } while (0)

/* The number of an id; 0 of the id 0. A new one is added; only one thread logs at a time. */
static int id(uint64_t value)
{
    int i = 0;
    if (value == 0)
        return 0;
    while (i < ids && known[i] != value)
        i++;
    if (i == ids && ids < (int)(sizeof known / sizeof known[0]))
        known[ids++] = value;
    return i + 1;
}

static int new_id(uint64_t value)
{
    int before = ids, i = id(value);
    if (i <= before)
        LOG("!! an id is not new");
    return i;
}

static void parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t p, uint32_t requested, void *function)
{
    LOG("parallel_begin parent=%d par=%d requested=%u function=%d frame=%d%d", id(parent), new_id(p), requested, function != NULL,
        frame->exit_runtime_frame != NULL, frame->reenter_runtime_frame != NULL);
}
static void task_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_task_id_t task, void *function)
{
    LOG("task_begin parent=%d task=%d function=%d frame=%d%d", id(parent), new_id(task), function != NULL,
        frame->exit_runtime_frame != NULL, frame->reenter_runtime_frame != NULL);
}
static void task_end(ompt_task_id_t task) { LOG("task_end %d", id(task)); }
static void task_switch(ompt_task_id_t from, ompt_task_id_t to) { LOG("task_switch %d -> %d", id(from), id(to)); }
static void thread_begin(ompt_thread_type_t type, ompt_thread_id_t thread) { LOG("thread_begin type=%d %d", (int)type, new_id(thread)); }
static void thread_end(ompt_thread_type_t type, ompt_thread_id_t thread) { LOG("thread_end type=%d %d", (int)type, id(thread)); }
static void in_no_region(void)
{
    if (get_parallel_id(0) != 0 || get_task_id(0) != 0)
        LOG("!! idle within a region");
}
static void idle_begin(ompt_thread_id_t thread)
{
    LOG("idle_begin %d", id(thread));
    in_no_region();
}
static void idle_end(ompt_thread_id_t thread)
{
    LOG("idle_end %d", id(thread));
    in_no_region();
}
static void control(uint64_t command, uint64_t modifier) { LOG("control %d %d", (int)command, (int)modifier); }
static void flush(void) { LOG("flush"); }
static void implicit_task_begin(ompt_parallel_id_t p, ompt_task_id_t task) { LOG("implicit_task_begin par=%d task=%d", id(p), new_id(task)); }
static void initial_task_begin(ompt_parallel_id_t p, ompt_task_id_t task) { LOG("initial_task_begin par=%d task=%d", id(p), new_id(task)); }

#define PAIR(name)                                                                                                             \
    static void name(ompt_parallel_id_t p, ompt_task_id_t task) { LOG(#name " par=%d task=%d", id(p), id(task)); }
#define SHARE(name)                                                                                                            \
    static void name(ompt_parallel_id_t p, ompt_task_id_t task, void *function)                                                \
    {                                                                                                                          \
        LOG(#name " par=%d task=%d function=%d", id(p), id(task), function != NULL);                                           \
    }
#define WAIT(name)                                                                                                             \
    static void name(ompt_wait_id_t wait) { LOG(#name " %d", (int)wait); }
PAIR(parallel_end)
PAIR(implicit_task_end)
PAIR(initial_task_end)
PAIR(wait_barrier_begin)
PAIR(wait_barrier_end)
PAIR(wait_taskwait_begin)
PAIR(wait_taskwait_end)
PAIR(wait_taskgroup_begin)
PAIR(wait_taskgroup_end)
PAIR(loop_end)
PAIR(sections_end)
PAIR(single_in_block_end)
PAIR(single_others_begin)
PAIR(single_others_end)
PAIR(workshare_end)
PAIR(master_begin)
PAIR(master_end)
PAIR(barrier_begin)
PAIR(barrier_end)
PAIR(taskwait_begin)
PAIR(taskwait_end)
PAIR(taskgroup_begin)
PAIR(taskgroup_end)
SHARE(loop_begin)
SHARE(sections_begin)
SHARE(single_in_block_begin)
SHARE(workshare_begin)
WAIT(release_lock)
WAIT(release_nest_lock_last)
WAIT(release_critical)
WAIT(release_atomic)
WAIT(release_ordered)
WAIT(release_nest_lock_prev)
WAIT(wait_lock)
WAIT(wait_nest_lock)
WAIT(wait_critical)
WAIT(wait_atomic)
WAIT(wait_ordered)
WAIT(acquired_lock)
WAIT(acquired_nest_lock_first)
WAIT(acquired_nest_lock_next)
WAIT(acquired_critical)
WAIT(acquired_atomic)
WAIT(acquired_ordered)
WAIT(init_lock)
WAIT(init_nest_lock)
WAIT(destroy_lock)
WAIT(destroy_nest_lock)

static void runtime_shutdown(void)
{
    LOG("runtime_shutdown");
    fwrite(buffer, 1, used, stderr);
    used = 0;
}

extern int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version);
int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_parallel_id = (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id");
    get_task_id = (ompt_get_task_id_t)lookup("ompt_get_task_id");
    enumerate = (ompt_enumerate_state_t)lookup("ompt_enumerate_state");
    fprintf(stderr, "%s, version %u\n", runtime, version);
#define OMPT_X(number, name) (void)set(ompt_event_##name, (ompt_callback_t)name);
    FOREACH_OMPT_2013_EVENT(OMPT_X)
#undef OMPT_X
    return 1;
}
