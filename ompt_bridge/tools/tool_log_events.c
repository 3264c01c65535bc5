/* tool_log_events.c: the callbacks of tool_log.c, which includes this file. They define what a
 * record holds for each event. */

/* Types of events that not every generation of omp_tools.h declares. The layout is the
 * standard's. */
struct log_dependence {
    ompt_data_t variable;
    int type;
};
struct log_dispatch_chunk {
    uint64_t start, iterations;
};

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    struct log_record *r = record(ompt_callback_thread_begin);
    (void)name(thread);
    if (r != NULL)
        r->kind = (int32_t)type;
}

/* Releases the chunk, because no further event comes from this thread. */
static void on_thread_end(ompt_data_t *thread)
{
    (void)thread;
    (void)record(ompt_callback_thread_end);
    release_chunk();
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *code)
{
    struct log_record *r = record(ompt_callback_parallel_begin);
    uint64_t id = name(parallel);
    (void)frame;
    if (r == NULL)
        return;
    r->task = id_of(task), r->parallel = id, r->value = requested, r->flags = (uint32_t)flags,
    r->code = address(code);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
    struct log_record *r = record(ompt_callback_parallel_end);
    if (r != NULL)
        r->task = id_of(task), r->parallel = id_of(parallel), r->flags = (uint32_t)flags,
        r->code = address(code);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    struct log_record *r = record(ompt_callback_implicit_task);
    uint64_t region = endpoint == ompt_scope_begin ? name(parallel) : id_of(parallel),
             id = name(task);
    if (r == NULL)
        return;
    r->endpoint = (uint16_t)endpoint, r->parallel = region, r->task = id, r->value = size,
    r->extra = index, r->flags = (uint32_t)flags;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task,
                           int flags, int dependences, const void *code)
{
    struct log_record *r = record(ompt_callback_task_create);
    uint64_t id = name(new_task);
    (void)frame;
    if (r == NULL)
        return;
    r->task = id_of(task), r->other = id, r->flags = (uint32_t)flags,
    r->extra = (uint32_t)dependences, r->code = address(code);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    struct log_record *r = record(ompt_callback_task_schedule);
    if (r != NULL)
        r->task = id_of(prior), r->kind = (int32_t)status, r->other = id_of(next);
}

/* Writes a record for each dependence: extra is its index, flags is how many there are. */
static void on_dependences(ompt_data_t *task, const struct log_dependence *list, int n)
{
    for (int i = 0; i < n; i++) {
        struct log_record *r = record(ompt_callback_dependences);
        if (r != NULL)
            r->task = id_of(task), r->kind = list[i].type, r->value = list[i].variable.value,
            r->extra = (uint32_t)i, r->flags = (uint32_t)n;
    }
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
    struct log_record *r = record(ompt_callback_task_dependence);
    if (r != NULL)
        r->task = id_of(source), r->other = id_of(sink);
}

static void scope(unsigned event, int kind, ompt_scope_endpoint_t endpoint,
                  const ompt_data_t *parallel, const ompt_data_t *task, uint64_t count,
                  const void *code)
{
    struct log_record *r = record(event);
    if (r == NULL)
        return;
    r->kind = kind, r->endpoint = (uint16_t)endpoint, r->parallel = id_of(parallel),
    r->task = id_of(task), r->value = count;
    r->code = address(code);
}

static void on_sync(ompt_sync_region_t k, ompt_scope_endpoint_t e, ompt_data_t *p, ompt_data_t *t,
                    const void *code)
{
    scope(ompt_callback_sync_region, (int)k, e, p, t, 0, code);
}

static void on_sync_wait(ompt_sync_region_t k, ompt_scope_endpoint_t e, ompt_data_t *p,
                         ompt_data_t *t, const void *code)
{
    scope(ompt_callback_sync_region_wait, (int)k, e, p, t, 0, code);
}

static void on_reduction(ompt_sync_region_t k, ompt_scope_endpoint_t e, ompt_data_t *p,
                         ompt_data_t *t, const void *code)
{
    scope(ompt_callback_reduction, (int)k, e, p, t, 0, code);
}

static void on_work(ompt_work_t type, ompt_scope_endpoint_t e, ompt_data_t *p, ompt_data_t *t,
                    uint64_t count, const void *code)
{
    scope(ompt_callback_work, (int)type, e, p, t, count, code);
}

static void on_masked(ompt_scope_endpoint_t e, ompt_data_t *p, ompt_data_t *t, const void *code)
{
    scope(ompt_callback_masked, 0, e, p, t, 0, code);
}

/* For a chunk the instance is a pointer to its bounds. For a section it is the code pointer itself,
 * and for an iteration its number. */
static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance)
{
    struct log_record *r = record(ompt_callback_dispatch);
    const struct log_dispatch_chunk *chunk = instance.ptr;
    if (r == NULL)
        return;
    r->parallel = id_of(parallel), r->task = id_of(task), r->kind = (int32_t)kind;
    if (kind == ompt_dispatch_section)
        r->code = instance.value;
    else if (kind == ompt_dispatch_iteration)
        r->value = instance.value;
    else if (chunk != NULL)
        r->value = chunk->start, r->other = chunk->iterations;
}

static void mutex(unsigned event, int kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
                  const void *code)
{
    struct log_record *r = record(event);
    if (r != NULL)
        r->kind = kind, r->flags = hint, r->extra = impl, r->value = wait, r->code = address(code);
}

static void on_acquire(ompt_mutex_t k, unsigned hint, unsigned impl, ompt_wait_id_t w,
                       const void *code)
{
    mutex(ompt_callback_mutex_acquire, (int)k, hint, impl, w, code);
}

static void on_lock_init(ompt_mutex_t k, unsigned hint, unsigned impl, ompt_wait_id_t w,
                         const void *code)
{
    mutex(ompt_callback_lock_init, (int)k, hint, impl, w, code);
}

static void on_acquired(ompt_mutex_t k, ompt_wait_id_t w, const void *code)
{
    mutex(ompt_callback_mutex_acquired, (int)k, 0, 0, w, code);
}
static void on_released(ompt_mutex_t k, ompt_wait_id_t w, const void *code)
{
    mutex(ompt_callback_mutex_released, (int)k, 0, 0, w, code);
}
static void on_lock_destroy(ompt_mutex_t k, ompt_wait_id_t w, const void *code)
{
    mutex(ompt_callback_lock_destroy, (int)k, 0, 0, w, code);
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *code)
{
    struct log_record *r = record(ompt_callback_nest_lock);
    if (r != NULL)
        r->endpoint = (uint16_t)endpoint, r->value = wait, r->code = address(code);
}

static void on_flush(ompt_data_t *thread, const void *code)
{
    struct log_record *r = record(ompt_callback_flush);
    (void)thread;
    if (r != NULL)
        r->code = address(code);
}

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
    struct log_record *r = record(ompt_callback_cancel);
    if (r != NULL)
        r->task = id_of(task), r->flags = (uint32_t)flags, r->code = address(code);
}

/* Returns 0: the command was understood. */
static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code)
{
    struct log_record *r = record(ompt_callback_control_tool);
    (void)arg;
    if (r != NULL)
        r->value = command, r->other = modifier, r->code = address(code);
    return 0;
}

static void text(const char *s, size_t length)
{
    for (size_t at = 0; at < length; at += LOG_TEXT_BYTES) {
        struct log_record *r = record(LOG_TEXT);
        size_t n = length - at < LOG_TEXT_BYTES ? length - at : LOG_TEXT_BYTES;
        if (r != NULL)
            memcpy((char *)r + sizeof *r - LOG_TEXT_BYTES, s + at, n);
    }
}

static void on_error(int severity, const char *message, size_t length, const void *code)
{
    struct log_record *r = record(ompt_callback_error);
    if (r == NULL)
        return;
    r->kind = severity, r->code = address(code);
    if (message != NULL)
        text(message, strnlen(message, length));
}

/* Writes further numbers of a record, unless that record does not exist. */
static void more(const struct log_record *of, uint64_t a, uint64_t b, uint64_t c)
{
    struct log_record *r = of == NULL ? NULL : record(LOG_MORE);
    if (r != NULL)
        r->parallel = a, r->task = b, r->other = c;
}

#include "tool_log_target.c"

/* The tool always asks for events that give a task or a region its id. Where a runtime lacks an
 * event, the older one replaces it. */
static const struct {
    int event, names;
    ompt_callback_t callback;
    int instead_event;
    ompt_callback_t instead;
} callbacks[] = {
    {ompt_callback_thread_begin, 1, (ompt_callback_t)on_thread_begin, 0, NULL},
    {ompt_callback_thread_end, 1, (ompt_callback_t)on_thread_end, 0, NULL},
    {ompt_callback_parallel_begin, 1, (ompt_callback_t)on_parallel_begin, 0, NULL},
    {ompt_callback_parallel_end, 0, (ompt_callback_t)on_parallel_end, 0, NULL},
    {ompt_callback_implicit_task, 1, (ompt_callback_t)on_implicit_task, 0, NULL},
    {ompt_callback_task_create, 1, (ompt_callback_t)on_task_create, 0, NULL},
    {ompt_callback_task_schedule, 0, (ompt_callback_t)on_task_schedule, 0, NULL},
    {ompt_callback_dependences, 0, (ompt_callback_t)on_dependences, 0, NULL},
    {ompt_callback_task_dependence, 0, (ompt_callback_t)on_task_dependence, 0, NULL},
    {ompt_callback_sync_region, 0, (ompt_callback_t)on_sync, 0, NULL},
    {ompt_callback_sync_region_wait, 0, (ompt_callback_t)on_sync_wait, 0, NULL},
    {ompt_callback_reduction, 0, (ompt_callback_t)on_reduction, 0, NULL},
    {ompt_callback_work, 0, (ompt_callback_t)on_work, 0, NULL},
    {ompt_callback_masked, 0, (ompt_callback_t)on_masked, 0, NULL},
    {ompt_callback_dispatch, 0, (ompt_callback_t)on_dispatch, 0, NULL},
    {ompt_callback_mutex_acquire, 0, (ompt_callback_t)on_acquire, 0, NULL},
    {ompt_callback_mutex_acquired, 0, (ompt_callback_t)on_acquired, 0, NULL},
    {ompt_callback_mutex_released, 0, (ompt_callback_t)on_released, 0, NULL},
    {ompt_callback_nest_lock, 0, (ompt_callback_t)on_nest_lock, 0, NULL},
    {ompt_callback_lock_init, 0, (ompt_callback_t)on_lock_init, 0, NULL},
    {ompt_callback_lock_destroy, 0, (ompt_callback_t)on_lock_destroy, 0, NULL},
    {ompt_callback_flush, 0, (ompt_callback_t)on_flush, 0, NULL},
    {ompt_callback_cancel, 0, (ompt_callback_t)on_cancel, 0, NULL},
    {ompt_callback_control_tool, 0, (ompt_callback_t)on_control_tool, 0, NULL},
    {ompt_callback_error, 0, (ompt_callback_t)on_error, 0, NULL},
    {ompt_callback_target_emi, 1, (ompt_callback_t)on_target_emi, ompt_callback_target,
     (ompt_callback_t)on_target},
    {ompt_callback_target_data_op_emi, 0, (ompt_callback_t)on_data_op_emi,
     ompt_callback_target_data_op, (ompt_callback_t)on_data_op},
    {ompt_callback_target_submit_emi, 0, (ompt_callback_t)on_submit_emi,
     ompt_callback_target_submit, (ompt_callback_t)on_submit},
    {ompt_callback_target_map_emi, 0, (ompt_callback_t)on_map_emi, ompt_callback_target_map,
     (ompt_callback_t)on_map},
    {ompt_callback_device_initialize, 0, (ompt_callback_t)on_device_initialize, 0, NULL},
    {ompt_callback_device_finalize, 0, (ompt_callback_t)on_device_finalize, 0, NULL},
    {ompt_callback_device_load, 0, (ompt_callback_t)on_device_load, 0, NULL},
    {ompt_callback_device_unload, 0, (ompt_callback_t)on_device_unload, 0, NULL},
};
