/* log2016.c: a chronological logger of the OMPT of May 2016. It writes the lines of the logger that went with a runtime of January 2017, without
 * what the report does not define; words of new records are checked to be zero. Threads are numbered as they appear. The log goes to
 * standard error at the end.
 */
#include "ompt_2016.h"

#include <stdio.h>
#include <string.h>

static ompt_set_callback_t set_callback;
static ompt_get_state_t get_state;
static ompt_get_task_info_t get_task_info;
static ompt_enumerate_states_t enumerate;
static char buffer[1 << 20];
static unsigned long used, words;
static int threads;
static __thread int number = -1;

static const char *state_name(omp_state_t wanted)
{
    omp_state_t s = omp_state_undefined;
    const char *name;
    while (enumerate(s, &s, &name))
        if (s == wanted)
            return name + strlen("omp_state_");
    return wanted == omp_state_undefined ? "undefined" : "?"; /* what the enumeration starts with */
}

#define LOG(...)                                                                                                               \
    do {                                                                                                                       \
        char line[400];                                                                                                        \
        ompt_wait_id_t wait_id;                                                                                                \
        if (number < 0)                                                                                                        \
            number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);                                                        \
        int length = snprintf(line, sizeof line, "tid%d %s ", number, state_name(get_state(&wait_id)));                        \
        length += snprintf(line + length, sizeof line - (size_t)length, __VA_ARGS__);                                          \
        line[length++] = '\n';                                                                                                 \
        unsigned long where = __atomic_fetch_add(&used, (unsigned long)length, __ATOMIC_RELAXED);                              \
        if (where + (unsigned long)length <= sizeof buffer)                                                                    \
            memcpy(buffer + where, line, (size_t)length);                                                                      \
    } while (0)
#define WORD(d) ((d) ? (unsigned long)(d)->value : 0ul)
#define AT(endpoint) ((endpoint) == ompt_scope_begin ? "begin" : "end")

static void name(ompt_data_t *d)
{
    if (d->value != 0)
        LOG("!! a new word is not zero");
    d->value = __atomic_add_fetch(&words, 1, __ATOMIC_RELAXED);
}

static void thread_begin(ompt_thread_type_t type, ompt_thread_data_t *d)
{
    name(d);
    LOG("thread_begin type=%d id=%lu", (int)type, WORD(d));
}
static void thread_end(ompt_thread_data_t *d) { LOG("thread_end id=%lu", WORD(d)); }
static void idle(ompt_scope_endpoint_t at)
{
    LOG("idle %s", AT(at));
    if (get_task_info(0, NULL, NULL, NULL, NULL))
        LOG("!! idle within a task");
}
static void parallel_begin(ompt_task_data_t *parent, const ompt_frame_t *frame, ompt_parallel_data_t *p, uint32_t requested,
                           ompt_invoker_t invoker, const void *ra)
{
    name(p);
    if (frame->enter_frame == NULL || ra == NULL)
        LOG("!! no frame, or no address");
    LOG("parallel_begin parent=%lu par=%lu req=%u invoker=%d", WORD(parent), WORD(p), requested, (int)invoker);
}
static void parallel_end(ompt_parallel_data_t *p, ompt_task_data_t *task, ompt_invoker_t invoker, const void *ra)
{
    (void)ra;
    LOG("parallel_end par=%lu task=%lu invoker=%d", WORD(p), WORD(task), (int)invoker);
}
static void task_create(ompt_task_data_t *parent, const ompt_frame_t *frame, ompt_task_data_t *task, ompt_task_type_t type, const void *ra)
{
    (void)frame, (void)ra;
    name(task);
    LOG("task_create parent=%lu new=%lu type=%d", WORD(parent), WORD(task), (int)type);
}
static void task_schedule(ompt_task_data_t *prior, _Bool completed, ompt_task_data_t *next)
{
    ompt_task_data_t *current = NULL;
    LOG("task_schedule %lu %s -> %lu", WORD(prior), completed ? "completed" : "suspended", WORD(next));
    if (!get_task_info(0, NULL, &current, NULL, NULL) || current != next)
        LOG("!! not in the context of the task that is scheduled");
}
static void implicit_task(ompt_scope_endpoint_t at, ompt_parallel_data_t *p, ompt_task_data_t *task)
{
    if (at == ompt_scope_begin)
        name(task);
    LOG("implicit_task %s par=%lu task=%lu", AT(at), WORD(p), WORD(task));
}
static void sync_region(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t at, ompt_parallel_data_t *p, ompt_task_data_t *task,
                        const void *ra)
{
    (void)ra;
    LOG("sync_region %s kind=%d par=%lu task=%lu", AT(at), (int)kind, WORD(p), WORD(task));
}
static void sync_region_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t at, ompt_parallel_data_t *p, ompt_task_data_t *task,
                             const void *ra)
{
    (void)ra;
    LOG("sync_region_wait %s kind=%d par=%lu task=%lu", AT(at), (int)kind, WORD(p), WORD(task));
}
static void worksharing(ompt_worksharing_type_t type, ompt_scope_endpoint_t at, ompt_parallel_data_t *p, ompt_task_data_t *task,
                        const void *ra)
{
    (void)p, (void)task, (void)ra;
    LOG("work %s type=%d", AT(at), (int)type);
}
static void master(ompt_scope_endpoint_t at, ompt_parallel_data_t *p, ompt_task_data_t *task, const void *ra)
{
    (void)p, (void)task, (void)ra;
    LOG("master %s", AT(at));
}
static void acquire(ompt_mutex_kind_t kind, uint32_t hint, uint32_t impl, ompt_wait_id_t id, const void *ra)
{
    (void)impl, (void)ra;
    LOG("mutex_acquire kind=%#x hint=%u%s", (unsigned)kind, hint, id ? "" : " of nothing");
}
static void acquired(ompt_mutex_kind_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)id, (void)ra;
    LOG("mutex_acquired kind=%#x", (unsigned)kind);
}
static void release(ompt_mutex_kind_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)id, (void)ra;
    LOG("mutex_released kind=%#x", (unsigned)kind);
}
static void nested_lock(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra)
{
    (void)id, (void)ra;
    LOG("nest_lock %s", AT(at));
}
static void init_lock(_Bool nest, ompt_wait_id_t id, uint32_t hint, uint32_t kind, const void *ra)
{
    (void)id, (void)kind, (void)ra;
    LOG("lock_init kind=%#x hint=%u", nest ? 0x12u : 0x11u, hint);
}
static void destroy_lock(_Bool nest, ompt_wait_id_t id, const void *ra)
{
    (void)id, (void)ra;
    LOG("lock_destroy kind=%#x", nest ? 0x12u : 0x11u);
}
static void flush(ompt_thread_data_t *d, const void *ra)
{
    (void)ra;
    LOG("flush%s", WORD(d) ? "" : " of no thread");
}
static void dependences(ompt_task_data_t *task, const ompt_task_dependence_t *deps, int n)
{
    for (int i = 0; i < n; i++)
        LOG("task_dependences %lu flags=%u%s", WORD(task), deps[i].dependence_flags, deps[i].variable_addr ? "" : " of nothing");
}
static void dependence_pair(ompt_task_data_t *source, ompt_task_data_t *sink)
{
    LOG("task_dependence_pair %lu -> %lu", WORD(source), WORD(sink));
}
static void shutdown(void)
{
    LOG("runtime_shutdown");
    fwrite(buffer, 1, used, stderr);
    used = 0;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    enumerate = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    fprintf(stderr, "[g2 tool] runtime=\"%s\" version=%u\n", runtime, version);
    set_callback(ompt_event_thread_begin, (ompt_callback_t)thread_begin);
    set_callback(ompt_event_thread_end, (ompt_callback_t)thread_end);
    set_callback(ompt_event_idle, (ompt_callback_t)idle);
    set_callback(ompt_event_parallel_begin, (ompt_callback_t)parallel_begin);
    set_callback(ompt_event_parallel_end, (ompt_callback_t)parallel_end);
    set_callback(ompt_event_task_create, (ompt_callback_t)task_create);
    set_callback(ompt_event_task_schedule, (ompt_callback_t)task_schedule);
    set_callback(ompt_event_implicit_task, (ompt_callback_t)implicit_task);
    set_callback(ompt_event_sync_region, (ompt_callback_t)sync_region);
    set_callback(ompt_event_sync_region_wait, (ompt_callback_t)sync_region_wait);
    set_callback(ompt_event_worksharing, (ompt_callback_t)worksharing);
    set_callback(ompt_event_master, (ompt_callback_t)master);
    set_callback(ompt_event_mutex_acquire, (ompt_callback_t)acquire);
    set_callback(ompt_event_mutex_acquired, (ompt_callback_t)acquired);
    set_callback(ompt_event_mutex_release, (ompt_callback_t)release);
    set_callback(ompt_event_nested_lock, (ompt_callback_t)nested_lock);
    set_callback(ompt_event_init_lock, (ompt_callback_t)init_lock);
    set_callback(ompt_event_destroy_lock, (ompt_callback_t)destroy_lock);
    set_callback(ompt_event_flush, (ompt_callback_t)flush);
    set_callback(ompt_event_task_dependences, (ompt_callback_t)dependences);
    set_callback(ompt_event_task_dependence_pair, (ompt_callback_t)dependence_pair);
    set_callback(ompt_event_runtime_shutdown, shutdown);
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }
