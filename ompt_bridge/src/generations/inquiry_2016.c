/* inquiry_2016.c: the inquiry functions for tools of the technical report of May 2016 (sections 5
 * and 7.2). All but those that set callbacks are async-signal-safe. */
#include "../core/bridge.h"

/* Table 4 of the report. */
static const unsigned char opari_2016_raised[OPARI_2016_EVENTS] = {
    [OPARI_2016_thread_begin] = OPARI_SET_ALWAYS,
    [OPARI_2016_thread_end] = OPARI_SET_ALWAYS,
    [OPARI_2016_parallel_begin] = OPARI_SET_ALWAYS,
    [OPARI_2016_parallel_end] = OPARI_SET_ALWAYS,
    [OPARI_2016_task_create] = OPARI_SET_ALWAYS,
    [OPARI_2016_task_schedule] = OPARI_SET_ALWAYS,
    [OPARI_2016_implicit_task] = OPARI_SET_ALWAYS,
    [OPARI_2016_target] = OPARI_SET_ALWAYS,
    [OPARI_2016_target_data] = OPARI_SET_SOMETIMES,
    [OPARI_2016_target_submit] = OPARI_SET_SOMETIMES,
    [OPARI_2016_control] = OPARI_SET_ALWAYS,
    [OPARI_2016_runtime_shutdown] = OPARI_SET_ALWAYS,
    [OPARI_2016_idle] = OPARI_SET_SOMETIMES, /* not before a worker's first region */
    [OPARI_2016_sync_region_wait] = OPARI_SET_ALWAYS,
    [OPARI_2016_mutex_release] = OPARI_SET_ALWAYS,
    /* Only where the library intercepts the runtime. */
    [OPARI_2016_task_dependences] = OPARI_SET_SOMETIMES,
    [OPARI_2016_task_dependence_pair] = OPARI_SET_SOMETIMES,
    [OPARI_2016_worksharing] = OPARI_SET_ALWAYS,
    [OPARI_2016_master] = OPARI_SET_ALWAYS,
    [OPARI_2016_target_data_map] = OPARI_SET_SOMETIMES,
    [OPARI_2016_sync_region] = OPARI_SET_ALWAYS,
    [OPARI_2016_init_lock] = OPARI_SET_ALWAYS,
    [OPARI_2016_destroy_lock] = OPARI_SET_ALWAYS,
    [OPARI_2016_mutex_acquire] = OPARI_SET_ALWAYS,
    [OPARI_2016_mutex_acquired] = OPARI_SET_ALWAYS,
    [OPARI_2016_nested_lock] = OPARI_SET_ALWAYS,
    [OPARI_2016_flush] = OPARI_SET_ALWAYS,
};

/* The states that opari_older_state returns. */
static _Bool opari_2016_enumerate_states(int current, int *next, const char **name)
{
#define OPARI_STATE(s) {OPARI_2016_STATE_##s, "omp_state_" #s}
    static const struct opari_named states[] = {
        OPARI_STATE(idle),
        OPARI_STATE(work_serial),
        OPARI_STATE(work_parallel),
        OPARI_STATE(work_reduction),
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
        OPARI_STATE(wait_target),
        OPARI_STATE(wait_target_data),
        OPARI_STATE(wait_target_update),
    };
#undef OPARI_STATE
    return opari_enumerate(states, (int)(sizeof states / sizeof states[0]),
                           OPARI_2016_STATE_undefined, current, next, name) != 0;
}

static _Bool opari_2016_enumerate_mutex_kinds(uint32_t current, uint32_t *next, const char **name)
{
    int kind;
    if (!opari_enumerate_mutex_impls((int)current, &kind, name))
        return 0;
    *next = (uint32_t)kind;
    return 1;
}

static ompt_data_t *opari_2016_get_thread_data(void)
{
    return opari_self != NULL ? &opari_self->data[opari_older.tool] : NULL;
}

static int opari_2016_get_state(ompt_wait_id_t *wait_id)
{
    return opari_older_state(wait_id)->in_2016;
}

static _Bool opari_2016_get_parallel_info(int level, ompt_data_t **parallel_data, int *team_size)
{
    struct opari_parallel *p = opari_region_at(level);
    if (parallel_data != NULL)
        *parallel_data = p != NULL ? &p->data[opari_older.tool] : NULL;
    if (p != NULL && team_size != NULL)
        *team_size = OPARI_LOAD(&p->size);
    return p != NULL;
}

static _Bool opari_2016_get_task_info(int level, int *type, ompt_data_t **task_data,
                                      ompt_frame_t **task_frame, ompt_data_t **par_data)
{
    struct opari_task *k = opari_task_at(level);
    if (k == NULL)
        return 0;
    if (type != NULL)
        *type = k->flags & ompt_task_initial    ? OPARI_2016_TASK_INITIAL
                : k->flags & ompt_task_implicit ? OPARI_2016_TASK_IMPLICIT
                : k->flags & ompt_task_target   ? OPARI_2016_TASK_TARGET
                                                : OPARI_2016_TASK_EXPLICIT;
    if (task_data != NULL)
        *task_data = &k->data[opari_older.tool];
    if (task_frame != NULL)
        *task_frame = &k->frame;
    if (par_data != NULL)
        *par_data = opari_region_of(k) != NULL ? &k->parallel->data[opari_older.tool] : NULL;
    return 1;
}

static _Bool opari_2016_get_target_info(uint64_t *target, uint64_t *operation)
{
    return opari_get_target_info(NULL, target, operation) != 0;
}

static int opari_2016_get_device_id(void)
{
    uint64_t device = 0;
    return opari_get_target_info(&device, NULL, NULL) ? (int)device : -1;
}

static ompt_interface_fn_t opari_2016_lookup(const char *name)
{
    static const struct opari_entry_point points[] = {
        {"ompt_set_callback", (ompt_interface_fn_t)opari_older_set},
        {"ompt_get_callback", (ompt_interface_fn_t)opari_older_get},
        {"ompt_enumerate_states", (ompt_interface_fn_t)opari_2016_enumerate_states},
        {"ompt_enumerate_mutex_kinds", (ompt_interface_fn_t)opari_2016_enumerate_mutex_kinds},
        {"ompt_get_thread_data", (ompt_interface_fn_t)opari_2016_get_thread_data},
        {"ompt_get_state", (ompt_interface_fn_t)opari_2016_get_state},
        {"ompt_get_parallel_info", (ompt_interface_fn_t)opari_2016_get_parallel_info},
        {"ompt_get_task_info", (ompt_interface_fn_t)opari_2016_get_task_info},
        {"ompt_get_target_info", (ompt_interface_fn_t)opari_2016_get_target_info},
        {"ompt_get_num_devices", (ompt_interface_fn_t)opari_get_num_devices},
        /* Section 5.7 has both names. */
        {"ompt_get_device_info", (ompt_interface_fn_t)opari_2016_get_device_info},
        {"ompt_target_get_device_info", (ompt_interface_fn_t)opari_2016_get_device_info},
        {"ompt_target_get_device_id", (ompt_interface_fn_t)opari_2016_get_device_id},
        {NULL, NULL},
    };
    return opari_entry_point(points, name);
}

/* Starts the tool as a tool of 5.x. */
static int opari_2016_start(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)lookup, (void)device, (void)data;
    if (!opari_older_open(2016, opari_2016_raised, OPARI_2016_EVENTS, opari_2016_raise_idle))
        return 0;
    opari_older.initialize_2016(opari_2016_lookup, "opari", 2);
    opari_older.open = 0;
    opari_older_hook(opari_2016_hooks);
    /* The bridge looks for pairs of dependent tasks only where some tool wants them. */
    if (opari_older.call[OPARI_2016_task_dependence_pair] == NULL)
        (void)opari_set_callback(opari_older.tool, ompt_callback_task_dependence, NULL);
    return 1;
}

static ompt_start_tool_result_t *opari_2016_client(opari_2016_initialize_t initialize)
{
    static ompt_start_tool_result_t result = {opari_2016_start, opari_older_finalize, {0}};
    opari_older.initialize_2016 = initialize;
    return &result;
}
