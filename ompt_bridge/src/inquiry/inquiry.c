/* inquiry.c: the inquiry functions for tools. Every function here is async-signal-safe: it reads
 * only the calling thread's record.
 *
 * Several tools can be attached, and each has its own data words in the records. So the functions
 * that return such words exist once per tool, and each tool gets its own lookup.
 */
#include "../core/bridge.h"

#include <string.h>

/* Detaches a tool: it gets no more events, and its finalizer runs once. */
static void opari_tool_finalize(unsigned tool)
{
    struct opari_tool *own = &opari_tools.tool[tool];
    ompt_start_tool_result_t *result = __atomic_exchange_n(&own->result, NULL, __ATOMIC_ACQ_REL);
    if (result == NULL)
        return;
    if (tool >= opari_own_tools)
        opari_devices_end();
    for (int i = 0; i < OPARI_EVENTS; i++)
        OPARI_RELEASE(&own->call[i], NULL);
    opari_update_callbacks();
    if (result->finalize != NULL)
        result->finalize(&result->tool_data);
}

static int opari_event_index(int event)
{
    if (event >= 1 && event <= ompt_callback_error)
        return event;
    switch (event) {
    case opari_callback_region: return OPARI_EVENT_REGION;
    case opari_callback_unload: return OPARI_EVENT_UNLOAD;
    case opari_callback_control: return OPARI_EVENT_CONTROL;
    case opari_callback_created: return OPARI_EVENT_CREATED;
    default: return 0;
    }
}

/* How often the bridge raises each event. ompt_set_never is no answer here, because tools take it
 * for a failure even where the event cannot happen in their program. */
static const unsigned char opari_raised[OPARI_EVENTS] = {
    [ompt_callback_thread_begin] = ompt_set_always,
    [ompt_callback_thread_end] = ompt_set_always,
    [ompt_callback_parallel_begin] = ompt_set_always,
    [ompt_callback_parallel_end] = ompt_set_always,
    [ompt_callback_task_create] = ompt_set_always,
    [ompt_callback_task_schedule] = ompt_set_always,
    [ompt_callback_implicit_task] = ompt_set_always,
    [ompt_callback_sync_region_wait] = ompt_set_always,
    [ompt_callback_sync_region] = ompt_set_always,
    [ompt_callback_mutex_acquire] = ompt_set_always,
    [ompt_callback_mutex_acquired] = ompt_set_always,
    [ompt_callback_mutex_released] = ompt_set_always,
    [ompt_callback_nest_lock] = ompt_set_always,
    [ompt_callback_lock_init] = ompt_set_always,
    [ompt_callback_lock_destroy] = ompt_set_always,
    [ompt_callback_work] = ompt_set_always,
    [ompt_callback_masked] = ompt_set_always,
    [ompt_callback_flush] = ompt_set_always,
    [ompt_callback_cancel] = ompt_set_always,
    [ompt_callback_control_tool] = ompt_set_always,
    [ompt_callback_dispatch] = ompt_set_sometimes,
    [ompt_callback_dependences] = ompt_set_sometimes,
    [ompt_callback_error] = ompt_set_sometimes,
    [ompt_callback_target] = ompt_set_always,
    [ompt_callback_target_emi] = ompt_set_always,
    /* From here on the events that need the library between the program and the runtime are raised
     * only sometimes. */
    [ompt_callback_target_data_op] = ompt_set_sometimes,
    [ompt_callback_target_data_op_emi] = ompt_set_sometimes,
    [ompt_callback_target_submit] = ompt_set_sometimes,
    [ompt_callback_target_submit_emi] = ompt_set_sometimes,
    [ompt_callback_target_map] = ompt_set_sometimes,
    [ompt_callback_target_map_emi] = ompt_set_sometimes,
    [ompt_callback_device_initialize] = ompt_set_always,
    [ompt_callback_device_finalize] = ompt_set_always,
    [ompt_callback_device_load] = ompt_set_sometimes,
    [ompt_callback_device_unload] = ompt_set_sometimes,
    [OPARI_EVENT_REGION] = ompt_set_always,
    [OPARI_EVENT_UNLOAD] = ompt_set_always,
    [OPARI_EVENT_CONTROL] = ompt_set_always,
    [OPARI_EVENT_CREATED] = ompt_set_always,
};

static ompt_set_result_t opari_set_callback(unsigned tool, int event, ompt_callback_t callback)
{
    int at = opari_event_index(event);
    if (at == 0)
        return ompt_set_error;
    OPARI_RELEASE(&opari_tools.tool[tool].call[at], callback);
    opari_update_callbacks();
    return opari_raised[at] != 0 ? (ompt_set_result_t)opari_raised[at] : ompt_set_sometimes;
}

static int opari_get_callback(unsigned tool, int event, ompt_callback_t *callback)
{
    int at = opari_event_index(event);
    ompt_callback_t call = at != 0 ? OPARI_ACQUIRE(&opari_tools.tool[tool].call[at]) : NULL;
    if (call == NULL)
        return 0;
    *callback = call;
    return 1;
}

static int opari_get_state(ompt_wait_id_t *wait_id)
{
    const struct opari_thread *t = opari_self;
    if (wait_id != NULL)
        *wait_id = t != NULL ? t->wait_id : 0;
    return t != NULL ? t->state : ompt_state_undefined;
}

/* Returns the task that the calling thread executes; null where it executes none: an idle worker,
 * or a thread without a record. */
static struct opari_task *opari_current_task(void)
{
    const struct opari_thread *t = opari_self;
    if (t == NULL || (t->task == &t->base_task && t->type != ompt_thread_initial))
        return NULL;
    return t->task;
}

/* Returns the task that encountered region p; null for a task outside every region. It is also null
 * after that task has ended: a worker leaves the region some time later. */
static struct opari_task *opari_task_encountering(const struct opari_parallel *p)
{
    return p->parent != NULL && OPARI_LOAD(&p->parent->lives) == p->parent_life ? p->parent : NULL;
}

/* Returns the next enclosing task: for an explicit task the one on whose stack it runs, for an
 * implicit task the one that made its team. */
static struct opari_task *opari_task_outside(const struct opari_task *k)
{
    return (k->flags & (ompt_task_explicit | ompt_task_target)) != 0 && k->below != NULL
               ? k->below
               : opari_task_encountering(k->parallel);
}

static int opari_get_parallel_info(unsigned tool, int level, ompt_data_t **parallel_data,
                                   int *team_size)
{
    struct opari_task *k = level >= 0 ? opari_current_task() : NULL;
    while (k != NULL && level-- > 0)
        k = opari_task_encountering(k->parallel);
    if (k == NULL)
        return 0;
    struct opari_parallel *p = k->parallel;
    if (parallel_data != NULL)
        *parallel_data = &p->data[tool];
    if (team_size != NULL)
        *team_size = OPARI_LOAD(&p->size);
    return 2;
}

static int opari_get_task_info(unsigned tool, int level, int *flags, ompt_data_t **task_data,
                               ompt_frame_t **task_frame, ompt_data_t **parallel_data,
                               int *thread_num)
{
    struct opari_task *k = level >= 0 ? opari_current_task() : NULL;
    while (k != NULL && level-- > 0)
        k = opari_task_outside(k);
    if (k == NULL)
        return 0;
    if (flags != NULL)
        *flags = k->flags;
    if (task_data != NULL)
        *task_data = &k->data[tool];
    if (task_frame != NULL)
        *task_frame = &k->frame;
    if (parallel_data != NULL)
        *parallel_data = &k->parallel->data[tool];
    /* In a league's initial task the index is the team's number. */
    if (thread_num != NULL)
        *thread_num = k->flags & ompt_task_initial ? 0 : k->index;
    return 2;
}

static const struct opari_regions *opari_get_region(void)
{
    return opari_self != NULL ? &opari_self->regions : NULL;
}

#define OPARI_PER_TOOL(n) \
    static ompt_set_result_t opari_set_callback_##n(ompt_callbacks_t e, ompt_callback_t c) \
    { \
        return opari_set_callback(n, (int)e, c); \
    } \
    static int opari_get_callback_##n(ompt_callbacks_t e, ompt_callback_t *c) \
    { \
        return opari_get_callback(n, (int)e, c); \
    } \
    static ompt_data_t *opari_get_thread_data_##n(void) \
    { \
        return opari_self != NULL ? &opari_self->data[n] : NULL; \
    } \
    static int opari_get_parallel_info_##n(int level, ompt_data_t **p, int *size) \
    { \
        return opari_get_parallel_info(n, level, p, size); \
    } \
    static int opari_get_task_info_##n(int level, int *f, ompt_data_t **k, ompt_frame_t **fr, \
                                       ompt_data_t **p, int *num) \
    { \
        return opari_get_task_info(n, level, f, k, fr, p, num); \
    } \
    static void opari_finalize_tool_##n(void) { opari_tool_finalize(n); } \
    static ompt_interface_fn_t opari_lookup_##n(const char *name) \
    { \
        static const struct opari_entry_point own[] = { \
            {"ompt_set_callback", (ompt_interface_fn_t)opari_set_callback_##n}, \
            {"ompt_get_callback", (ompt_interface_fn_t)opari_get_callback_##n}, \
            {"ompt_get_thread_data", (ompt_interface_fn_t)opari_get_thread_data_##n}, \
            {"ompt_get_parallel_info", (ompt_interface_fn_t)opari_get_parallel_info_##n}, \
            {"ompt_get_task_info", (ompt_interface_fn_t)opari_get_task_info_##n}, \
            {"ompt_finalize_tool", (ompt_interface_fn_t)opari_finalize_tool_##n}, \
            {NULL, NULL}, \
        }; \
        ompt_interface_fn_t f = opari_entry_point(own, name); \
        return f != NULL ? f : opari_entry_point(opari_entry_points, name); \
    }

static const struct opari_entry_point opari_entry_points[] = {
    {"ompt_get_state", (ompt_interface_fn_t)opari_get_state},
    {"ompt_enumerate_states", (ompt_interface_fn_t)opari_enumerate_states},
    {"ompt_enumerate_mutex_impls", (ompt_interface_fn_t)opari_enumerate_mutex_impls},
    {"ompt_get_task_memory", (ompt_interface_fn_t)opari_get_task_memory},
    {"ompt_get_num_procs", (ompt_interface_fn_t)opari_get_num_procs},
    {"ompt_get_num_places", (ompt_interface_fn_t)opari_get_num_places},
    {"ompt_get_place_proc_ids", (ompt_interface_fn_t)opari_get_place_proc_ids},
    {"ompt_get_place_num", (ompt_interface_fn_t)opari_get_place_num},
    {"ompt_get_partition_place_nums", (ompt_interface_fn_t)opari_get_partition_place_nums},
    {"ompt_get_proc_id", (ompt_interface_fn_t)opari_get_proc_id},
    {"ompt_get_target_info", (ompt_interface_fn_t)opari_get_target_info},
    {"ompt_get_num_devices", (ompt_interface_fn_t)opari_get_num_devices},
    {"ompt_get_unique_id", (ompt_interface_fn_t)opari_get_unique_id},
    {"opari_get_region", (ompt_interface_fn_t)opari_get_region},
    {NULL, NULL},
};

OPARI_PER_TOOL(0)
OPARI_PER_TOOL(1)
OPARI_PER_TOOL(2)

/* At most two recorders and the user's tool are attached. */
static ompt_interface_fn_t (*const opari_lookups[])(const char *) = {opari_lookup_0, opari_lookup_1,
                                                                     opari_lookup_2};
