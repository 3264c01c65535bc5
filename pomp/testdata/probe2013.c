/* probe2013.c: a tool of the first generation that notes its life. RESULT: 0 ompt_initialize declines; else it stays. PAPER: it takes the
 * paper's global symbols instead of looking them up. */
#define _GNU_SOURCE 1
#include "../../ompt_bridge/src/ompt_2013.h"

#include "older.h"

#ifndef RESULT
#define RESULT 2
#endif

static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_enumerate_state_t enumerate_state;
static ompt_get_thread_data_t thread_data;
static ompt_get_parallel_id_t parallel_id;
static ompt_get_parallel_function_t parallel_function;
static ompt_get_task_data_t task_data;
static ompt_get_task_frame_t task_frame;
static ompt_get_state_t state;
static ompt_get_runtime_version_t runtime_version;
#ifndef PAPER
static ompt_get_thread_id_t thread_id;
static ompt_get_task_id_t task_id;
static ompt_get_parallel_team_size_t team_size;
#endif

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_id_t id)
{
    if (id == 0 || thread_data() == NULL || thread_data()->value != 0)
        note("a thread without an id or data", -1);
    thread_data()->value = id;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    if (type == ompt_thread_initial)
        note("initial thread", -1);
}

static void on_thread_end(ompt_thread_type_t type, ompt_thread_id_t id)
{
    (void)type;
    __atomic_add_fetch(&ended, thread_data()->value == id, __ATOMIC_RELAXED);
}

static ompt_parallel_id_t region;

static void on_parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t id, uint32_t requested, void *function)
{
    (void)function;
    if (parallel_id(0) != 0 || task_data(0) == NULL || task_data(1) != NULL || parallel_function(0) != NULL)
        note("a region outside of all", -1);
    if (parent == 0 || id == 0 || id == parent || requested == 0 || frame != task_frame(0) || frame->reenter_runtime_frame == NULL ||
        frame->exit_runtime_frame != NULL)
        note("another region", -1);
    region = id;
}

static void on_implicit_task_begin(ompt_parallel_id_t id, ompt_task_id_t task)
{
    ompt_wait_id_t wait_id;
    if (id != region || task == 0 || parallel_id(0) != id || parallel_id(1) != 0 || task_data(0) == NULL || task_data(0)->value != 0 ||
        task_data(1) == NULL || task_data(2) != NULL || state(&wait_id) != ompt_state_work_parallel)
        note("another implicit task", -1);
    task_data(0)->value = task;
#ifndef PAPER
    if (task_id(0) != task || task_id(1) == 0 || task_id(2) != 0 || team_size(0) < 1 || team_size(1) != 0 ||
        thread_id() != thread_data()->value)
        note("other ids", -1);
#endif
}

static void on_implicit_task_end(ompt_parallel_id_t id, ompt_task_id_t task)
{
    if (id != region || task_data(0)->value != task)
        note("another implicit task's end", -1);
}

static void on_control(uint64_t command, uint64_t modifier) { note("control", (int)(command * 10 + modifier)); }

static void on_shutdown(void)
{
    note("threads begun", begun);
    note("threads not ended", begun - ended);
    note(set_callback(ompt_event_flush, on_shutdown) == 0 ? "shutdown" : "a callback can be set late", -1);
}

static int set(int event) { return set_callback((ompt_event_t)event, NULL); }

/* The paper's loop, which looks at the last state only. */
static int count_states(void)
{
    const char *name;
    int s, states = 0;
    for (int ok = enumerate_state(ompt_state_first, &s, &name); ok && s != ompt_state_last; enumerate_state(s, &s, &name))
        states += strncmp(name, "ompt_state_", 11) == 0;
    return states;
}

static int begin(void)
{
    char version[40];
    ompt_callback_t callback = NULL;
    begun = ended = 0;
    note_answers(set, ompt_event_flush);
    note("beyond", set(0) + set(62) + set(-1));
    note("states", count_states());
    note(runtime_version(version, 6) == 5 && strcmp(version, "opari") == 0 ? "opari" : version, -1);
    set_callback(ompt_event_thread_begin, (ompt_callback_t)on_thread_begin);
    set_callback(ompt_event_thread_end, (ompt_callback_t)on_thread_end);
    set_callback(ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set_callback(ompt_event_implicit_task_begin, (ompt_callback_t)on_implicit_task_begin);
    set_callback(ompt_event_implicit_task_end, (ompt_callback_t)on_implicit_task_end);
    set_callback(ompt_event_control, (ompt_callback_t)on_control);
    set_callback(ompt_event_runtime_shutdown, on_shutdown);
    if (!get_callback(ompt_event_runtime_shutdown, &callback) || callback != on_shutdown || get_callback(ompt_event_flush, &callback))
        note("ompt_get_callback", -1);
    return RESULT ? 1 : 0;
}

#ifdef PAPER
extern int ompt_initialize(void);
int ompt_initialize(void)
{
    set_callback = ompt_set_callback;
    get_callback = ompt_get_callback;
    enumerate_state = ompt_enumerate_state;
    thread_data = ompt_get_thread_data;
    parallel_id = ompt_get_parallel_id;
    parallel_function = ompt_get_parallel_function;
    task_data = ompt_get_task_data;
    task_frame = ompt_get_task_frame;
    state = ompt_get_state;
    runtime_version = ompt_get_runtime_version;
    note("initialize", ompt_get_ompt_version());
    return begin();
}
#else
extern int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version);
int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    static const char *const names[] = {
        "ompt_set_callback", "ompt_get_callback", "ompt_enumerate_state", "ompt_get_state", "ompt_get_thread_id", "ompt_get_thread_data",
        "ompt_get_parallel_id", "ompt_get_parallel_team_size", "ompt_get_parallel_function", "ompt_get_task_id", "ompt_get_task_data",
        "ompt_get_task_frame", "ompt_get_task_function", "ompt_get_idle_frame", "ompt_get_ompt_version", "ompt_get_runtime_version"};
    int missing = 0;
    note(runtime != NULL ? "initialize" : "initialize of nothing", (int)version);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        missing += lookup(names[i]) == NULL;
    note("entry points missing", missing + (lookup("ompt_get_parallel_info") != NULL));
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    enumerate_state = (ompt_enumerate_state_t)lookup("ompt_enumerate_state");
    thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    parallel_id = (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id");
    parallel_function = (ompt_get_parallel_function_t)lookup("ompt_get_parallel_function");
    task_data = (ompt_get_task_data_t)lookup("ompt_get_task_data");
    task_frame = (ompt_get_task_frame_t)lookup("ompt_get_task_frame");
    state = (ompt_get_state_t)lookup("ompt_get_state");
    runtime_version = (ompt_get_runtime_version_t)lookup("ompt_get_runtime_version");
    thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    task_id = (ompt_get_task_id_t)lookup("ompt_get_task_id");
    team_size = (ompt_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size");
    return begin();
}
#endif
