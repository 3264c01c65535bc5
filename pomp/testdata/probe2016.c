/* probe2016.c: a tool of the report of May 2016 that notes its life. RESULT: 0 ompt_tool returns null; else it stays. */
#define _GNU_SOURCE 1
#include "../../ompt_bridge/src/ompt_2016.h"

#include "older.h"

#ifndef RESULT
#define RESULT 2
#endif

static ompt_set_callback_t set_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_data_t *d)
{
    if (d->value != 0 || d != get_thread_data())
        note("the thread's data are not new", -1);
    d->value = 1;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    if (type == ompt_thread_initial)
        note("initial thread", -1);
}

static void on_thread_end(ompt_thread_data_t *d)
{
    __atomic_add_fetch(&ended, d->value == 1, __ATOMIC_RELAXED);
}

/* What it may ask outside of all regions and inside. */
static void on_parallel_begin(ompt_task_data_t *parent, const ompt_frame_t *frame, ompt_parallel_data_t *p, uint32_t requested,
                              ompt_invoker_t invoker, const void *ra)
{
    ompt_task_type_t type = 0;
    ompt_task_data_t *task = NULL;
    ompt_parallel_data_t *region = parent;
    ompt_frame_t *own = NULL;
    int size;
    if (get_parallel_info(0, &region, &size) || region != NULL)
        note("a region outside of all", -1);
    if (!get_task_info(0, &type, &task, &own, &region) || type != ompt_task_initial || task != parent || region != NULL || own != frame ||
        frame->enter_frame == NULL || frame->exit_frame != NULL || get_task_info(1, NULL, NULL, NULL, NULL))
        note("another initial task", -1);
    if (requested == 0 || invoker != ompt_invoker_runtime || ra == NULL || p->value != 0)
        note("another region", -1);
    p->value = 5;
}

static void on_implicit_task(ompt_scope_endpoint_t at, ompt_parallel_data_t *p, ompt_task_data_t *task)
{
    ompt_task_type_t type = 0;
    ompt_task_data_t *found = NULL;
    ompt_parallel_data_t *region = NULL;
    int size = 0;
    if (at == ompt_scope_begin)
        task->value = 6;
    if (p->value != 5 || task->value != 6 || !get_parallel_info(0, &region, &size) || region != p || size < 1 ||
        get_parallel_info(1, &region, &size) || !get_task_info(0, &type, &found, NULL, &region) || type != ompt_task_implicit ||
        found != task || region != p)
        note("another implicit task", -1);
    if (!get_task_info(1, &type, &found, NULL, &region) || type != ompt_task_initial || region != NULL)
        note("the region's parent is not the initial task", -1);
}

static void on_control(uint64_t command, uint64_t modifier, const void *ra)
{
    note(ra != NULL ? "control" : "control without an address", (int)(command * 10 + modifier));
}

static void on_shutdown(void)
{
    note("threads begun", begun);
    note("threads not ended", begun - ended);
    note(set_callback(ompt_event_flush, on_shutdown) == 0 ? "shutdown" : "a callback can be set late", -1);
}

static int set(int event)
{
    return set_callback((ompt_event_t)event, NULL);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    static const char *const names[] = {
        "ompt_set_callback", "ompt_get_callback", "ompt_enumerate_states", "ompt_enumerate_mutex_kinds", "ompt_get_thread_data",
        "ompt_get_state", "ompt_get_parallel_info", "ompt_get_task_info", "ompt_get_target_info", "ompt_get_num_devices",
        "ompt_get_device_info", "ompt_target_get_device_info", "ompt_target_get_device_id"};
    int missing = 0, states = 0, kinds = 0;
    omp_state_t s = omp_state_undefined;
    uint32_t kind = ompt_mutex_kind_unknown;
    const char *name;
    ompt_callback_t callback = NULL;
    begun = ended = 0;
    note(runtime != NULL ? "initialize" : "initialize of nothing", (int)version);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        missing += lookup(names[i]) == NULL;
    note("entry points missing", missing + (lookup("ompt_start_tool") != NULL) + (lookup("ompt_get_unique_id") != NULL));
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    note_answers(set, ompt_event_flush);
    note("beyond", set(0) + set(28) + set(-1));
    while (((ompt_enumerate_states_t)lookup("ompt_enumerate_states"))(s, &s, &name))
        states += strncmp(name, "omp_state_", 10) == 0 && s != omp_state_undefined;
    while (((ompt_enumerate_mutex_kinds_t)lookup("ompt_enumerate_mutex_kinds"))(kind, &kind, &name))
        kinds += name[0] != 0 && kind != ompt_mutex_kind_unknown;
    note("states", states);
    note("kinds of mutex", kinds);
    set_callback(ompt_event_thread_begin, (ompt_callback_t)on_thread_begin);
    set_callback(ompt_event_thread_end, (ompt_callback_t)on_thread_end);
    set_callback(ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set_callback(ompt_event_implicit_task, (ompt_callback_t)on_implicit_task);
    set_callback(ompt_event_control, (ompt_callback_t)on_control);
    set_callback(ompt_event_runtime_shutdown, on_shutdown);
    if (!((ompt_get_callback_t)lookup("ompt_get_callback"))(ompt_event_runtime_shutdown, &callback) || callback != on_shutdown ||
        ((ompt_get_callback_t)lookup("ompt_get_callback"))(ompt_event_flush, &callback))
        note("ompt_get_callback", -1);
}

ompt_initialize_fn_t ompt_tool(void)
{
    note("tool", -1);
    return RESULT ? initialize : NULL;
}

/* Any function may have this name in a tool of 2016, which has no use for that of 2013. */
int ompt_initialize(void);
int ompt_initialize(void)
{
    note("called as a tool of 2013", -1);
    return 1;
}
