/* tool_log_target.c: the callbacks of tool_log.c for target regions, see tool_log_events.c. */

/* Records a target construct. other identifies the target region, by the tool's word or the
 * runtime's number. value is its target task. */
static void target(unsigned event, int kind, ompt_scope_endpoint_t endpoint, int device,
                   const ompt_data_t *task, uint64_t target_task, uint64_t id, const void *code)
{
    struct log_record *r = record(event);
    if (r == NULL)
        return;
    r->kind = kind, r->endpoint = (uint16_t)endpoint, r->extra = (uint32_t)device,
    r->task = id_of(task), r->code = address(code);
    r->other = id, r->value = target_task;
}

static void on_target(int kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                      ompt_id_t id, const void *code)
{
    target(ompt_callback_target, kind, endpoint, device, task, 0, id, code);
}

static void on_target_emi(int kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                          ompt_data_t *target_task, ompt_data_t *target_data, const void *code)
{
    target(ompt_callback_target_emi, kind, endpoint, device, task, id_of(target_task),
           name(target_data), code);
}

struct data_op {
    int type, from, to;
    void *source, *destination;
    size_t bytes;
};

static void data_op(unsigned event, ompt_scope_endpoint_t endpoint, uint64_t id, uint64_t op,
                    struct data_op o, const void *code)
{
    struct log_record *r = record(event);
    if (r == NULL)
        return;
    r->endpoint = (uint16_t)endpoint, r->kind = o.type, r->flags = (uint32_t)o.from,
    r->extra = (uint32_t)o.to, r->value = o.bytes;
    r->other = id, r->code = address(code);
    more(r, op, address(o.source), address(o.destination));
}

static void on_data_op(ompt_id_t target_id, ompt_id_t op, int type, void *src, int from, void *dst,
                       int to, size_t bytes, const void *code)
{
    data_op(ompt_callback_target_data_op, (ompt_scope_endpoint_t)0, target_id, op,
            (struct data_op){type, from, to, src, dst, bytes}, code);
}

/* Returns the number of an operation, and assigns one where the runtime leaves that to the tool. A
 * thread may use the same word for all of its operations. */
static uint64_t operation(ompt_scope_endpoint_t endpoint, ompt_id_t *op)
{
    if (op != NULL && endpoint == ompt_scope_begin && (*op == 0 || *op == self.operation))
        *op = self.operation = new_id();
    return op == NULL ? 0 : *op;
}

static void on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
                           ompt_data_t *target_data, ompt_id_t *op, int type, void *src, int from,
                           void *dst, int to, size_t bytes, const void *code)
{
    (void)target_task;
    data_op(ompt_callback_target_data_op_emi, endpoint, id_of(target_data), operation(endpoint, op),
            (struct data_op){type, from, to, src, dst, bytes}, code);
}

static void submit(unsigned event, ompt_scope_endpoint_t endpoint, uint64_t id, uint64_t op,
                   unsigned teams)
{
    struct log_record *r = record(event);
    if (r != NULL)
        r->endpoint = (uint16_t)endpoint, r->value = teams, r->other = id;
    more(r, op, 0, 0);
}

static void on_submit(ompt_id_t target_id, ompt_id_t op, unsigned teams)
{
    submit(ompt_callback_target_submit, (ompt_scope_endpoint_t)0, target_id, op, teams);
}

static void on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data, ompt_id_t *op,
                          unsigned teams)
{
    submit(ompt_callback_target_submit_emi, endpoint, id_of(target_data), operation(endpoint, op),
           teams);
}

/* Writes a record for each item: extra is its index, flags is how many there are. */
static void mapped(unsigned event, uint64_t id, unsigned n, void **host, void **device,
                   const size_t *bytes, const unsigned *flags, const void *code)
{
    for (unsigned i = 0; i < n; i++) {
        struct log_record *r = record(event);
        if (r != NULL)
            r->other = id, r->value = bytes[i], r->extra = i, r->flags = n, r->code = address(code);
        more(r, flags[i], address(host[i]), address(device[i]));
    }
}

static void on_map(ompt_id_t id, unsigned n, void **host, void **device, size_t *bytes,
                   unsigned *flags, const void *code)
{
    mapped(ompt_callback_target_map, id, n, host, device, bytes, flags, code);
}

static void on_map_emi(ompt_data_t *target_data, unsigned n, void **host, void **device,
                       size_t *bytes, unsigned *flags, const void *code)
{
    mapped(ompt_callback_target_map_emi, id_of(target_data), n, host, device, bytes, flags, code);
}

static void on_device_initialize(int device, const char *type, void *handle,
                                 ompt_function_lookup_t lookup, const char *documentation)
{
    struct log_record *r = record(ompt_callback_device_initialize);
    (void)handle, (void)lookup, (void)documentation;
    if (r == NULL)
        return;
    r->extra = (uint32_t)device;
    if (type != NULL)
        text(type, strnlen(type, LOG_TEXT_BYTES));
}

static void on_device_finalize(int device)
{
    struct log_record *r = record(ompt_callback_device_finalize);
    if (r != NULL)
        r->extra = (uint32_t)device;
}

static void on_device_load(int device, const char *file, int64_t offset, void *vma, size_t bytes,
                           void *host, void *there, uint64_t module)
{
    struct log_record *r = record(ompt_callback_device_load);
    (void)offset, (void)vma, (void)host, (void)there;
    if (r == NULL)
        return;
    r->extra = (uint32_t)device, r->value = bytes, r->other = module;
    if (file != NULL)
        text(file, strnlen(file, PATH_MAX));
}

static void on_device_unload(int device, uint64_t module)
{
    struct log_record *r = record(ompt_callback_device_unload);
    if (r != NULL)
        r->extra = (uint32_t)device, r->other = module;
}
