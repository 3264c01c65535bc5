/* inquiry_2013.c: the inquiry functions for tools of the first generation (sections 5 to 7 of the
 * paper of 2013). All but those that set callbacks are async-signal-safe. Without such a tool they
 * answer like a runtime without one: 0, null, undefined. */
#include "../core/bridge.h"

/* An atomic construct waits for nothing. */
static const unsigned char opari_2013_never[] = {OPARI_2013_release_atomic, OPARI_2013_wait_atomic,
                                                 OPARI_2013_acquired_atomic};
static unsigned char opari_2013_raised[OPARI_2013_EVENTS];

static void opari_2013_fill_raised(void)
{
    for (int i = 1; i < OPARI_2013_EVENTS; i++)
        opari_2013_raised[i] = OPARI_SET_ALWAYS;
    for (size_t i = 0; i < sizeof opari_2013_never; i++)
        opari_2013_raised[opari_2013_never[i]] = OPARI_SET_NEVER;
    opari_2013_raised[OPARI_2013_idle_begin] = opari_2013_raised[OPARI_2013_idle_end] =
        OPARI_SET_SOMETIMES; /* see opari_idle */
}

/* The paper's loop ends when it gets last, and ignores the result. The loop of later tools ends at
 * the result 0. */
static int opari_2013_enumerate_state(int current, int *next, const char **name)
{
#define OPARI_STATE(s) {OPARI_2013_STATE_##s, "ompt_state_" #s}
    static const struct opari_named states[] = {
        OPARI_STATE(work_serial),
        OPARI_STATE(work_parallel),
        OPARI_STATE(work_reduction),
        OPARI_STATE(idle),
        OPARI_STATE(overhead),
        OPARI_STATE(wait_barrier),
        OPARI_STATE(wait_barrier_implicit),
        OPARI_STATE(wait_barrier_explicit),
        OPARI_STATE(wait_taskwait),
        OPARI_STATE(wait_taskgroup),
        OPARI_STATE(wait_lock),
        OPARI_STATE(wait_critical),
        OPARI_STATE(wait_atomic),
        OPARI_STATE(wait_ordered),
        OPARI_STATE(undefined),
    };
#undef OPARI_STATE
    if (opari_enumerate(states, (int)(sizeof states / sizeof states[0]), OPARI_2013_STATE_first,
                        current, next, name))
        return 1;
    *next = OPARI_2013_STATE_last;
    *name = "ompt_state_last";
    return 0;
}

static const struct opari_thread *opari_2013_thread(void)
{
    return opari_older.generation == 2013 ? opari_self : NULL;
}

static int opari_2013_get_state(ompt_wait_id_t *wait_id)
{
    if (opari_2013_thread() != NULL)
        return opari_older_state(wait_id)->in_2013;
    if (wait_id != NULL)
        *wait_id = 0;
    return OPARI_2013_STATE_undefined;
}

static struct opari_parallel *opari_2013_region(int level)
{
    return opari_2013_thread() != NULL ? opari_region_at(level) : NULL;
}

static struct opari_task *opari_2013_task(int level)
{
    return opari_2013_thread() != NULL ? opari_task_at(level) : NULL;
}

static uint64_t opari_2013_get_thread_id(void)
{
    const struct opari_thread *t = opari_2013_thread();
    return t != NULL ? t->data[opari_older.tool].value : 0;
}

static ompt_data_t *opari_2013_get_thread_data(void)
{
    return opari_2013_thread() != NULL ? &opari_self->data[OPARI_WORDS] : NULL;
}

static uint64_t opari_2013_get_parallel_id(int level)
{
    const struct opari_parallel *p = opari_2013_region(level);
    return p != NULL ? p->data[opari_older.tool].value : 0;
}

static int opari_2013_get_parallel_team_size(int level)
{
    const struct opari_parallel *p = opari_2013_region(level);
    return p != NULL ? OPARI_LOAD(&p->size) : 0;
}

static void *opari_2013_get_parallel_function(int level)
{
    const struct opari_parallel *p = opari_2013_region(level);
    return p != NULL ? p->data[OPARI_NOTES].ptr : NULL;
}

static uint64_t opari_2013_get_task_id(int level)
{
    const struct opari_task *k = opari_2013_task(level);
    return k != NULL ? k->data[opari_older.tool].value : 0;
}

static ompt_data_t *opari_2013_get_task_data(int level)
{
    struct opari_task *k = opari_2013_task(level);
    return k != NULL ? &k->data[OPARI_WORDS] : NULL;
}

/* The first two words of the frame are the paper's frame. */
static ompt_frame_t *opari_2013_get_task_frame(int level)
{
    struct opari_task *k = opari_2013_task(level);
    return k != NULL ? &k->frame : NULL;
}

/* An implicit task has the function of its region. The initial task has none. */
static void *opari_2013_get_task_function(int level)
{
    const struct opari_task *k = opari_2013_task(level);
    if (k == NULL || (k->flags & ompt_task_initial) != 0)
        return NULL;
    return k->flags & ompt_task_implicit ? k->parallel->data[OPARI_NOTES].ptr
                                         : k->data[OPARI_NOTES].ptr;
}

static void *opari_2013_get_idle_frame(void) { return NULL; }

static int opari_2013_get_ompt_version(void) { return 1; }

/* Returns the number of characters in buffer, without the terminating 0. */
static int opari_2013_get_runtime_version(char *buffer, int length)
{
    static const char version[] = "opari-1.0-core=1-blame=1-trace=1";
    int n = 0;
    if (length <= 0)
        return 0;
    for (; n + 1 < length && version[n] != 0; n++)
        buffer[n] = version[n];
    buffer[n] = 0;
    return n;
}

/* The paper has no code for an error. An unknown event can never be raised, so the answer for it is
 * 0 too. */
static __attribute__((unused)) int opari_2013_set_callback(int event, ompt_callback_t callback)
{
    int answer =
        opari_older.generation == 2013 ? opari_older_set(event, callback) : OPARI_SET_ERROR;
    return answer > 0 ? answer - 1 : 0;
}

static int opari_2013_get_callback(int event, ompt_callback_t *callback)
{
    return opari_older.generation == 2013 ? opari_older_get(event, callback) : 0;
}

static ompt_interface_fn_t opari_2013_lookup(const char *name)
{
    static const struct opari_entry_point points[] = {
        {"ompt_set_callback", (ompt_interface_fn_t)opari_older_set},
        {"ompt_get_callback", (ompt_interface_fn_t)opari_2013_get_callback},
        {"ompt_enumerate_state", (ompt_interface_fn_t)opari_2013_enumerate_state},
        {"ompt_get_state", (ompt_interface_fn_t)opari_2013_get_state},
        {"ompt_get_thread_id", (ompt_interface_fn_t)opari_2013_get_thread_id},
        {"ompt_get_thread_data", (ompt_interface_fn_t)opari_2013_get_thread_data},
        {"ompt_get_parallel_id", (ompt_interface_fn_t)opari_2013_get_parallel_id},
        {"ompt_get_parallel_team_size", (ompt_interface_fn_t)opari_2013_get_parallel_team_size},
        {"ompt_get_parallel_function", (ompt_interface_fn_t)opari_2013_get_parallel_function},
        {"ompt_get_task_id", (ompt_interface_fn_t)opari_2013_get_task_id},
        {"ompt_get_task_data", (ompt_interface_fn_t)opari_2013_get_task_data},
        {"ompt_get_task_frame", (ompt_interface_fn_t)opari_2013_get_task_frame},
        {"ompt_get_task_function", (ompt_interface_fn_t)opari_2013_get_task_function},
        {"ompt_get_idle_frame", (ompt_interface_fn_t)opari_2013_get_idle_frame},
        {"ompt_get_ompt_version", (ompt_interface_fn_t)opari_2013_get_ompt_version},
        {"ompt_get_runtime_version", (ompt_interface_fn_t)opari_2013_get_runtime_version},
        {NULL, NULL},
    };
    return opari_entry_point(points, name);
}

/* Starts the tool as a tool of 5.x. The form of initialize without parameters ignores the three. */
static int opari_2013_start(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)lookup, (void)device, (void)data;
    opari_2013_fill_raised();
    if (!opari_older_open(2013, opari_2013_raised, OPARI_2013_EVENTS, opari_2013_raise_idle))
        return 0;
    int started = opari_older.initialize_2013(opari_2013_lookup, "opari", 1);
    opari_older.open = 0;
    if (started != 1) {
        opari_older.generation = 0;
        opari_dialect = opari_older.dialect;
        return 0;
    }
    opari_older_hook(opari_2013_hooks);
    return 1;
}

static ompt_start_tool_result_t *opari_2013_client(opari_2013_initialize_t initialize)
{
    static ompt_start_tool_result_t result = {opari_2013_start, opari_older_finalize, {0}};
    opari_older.initialize_2013 = initialize;
    return &result;
}
