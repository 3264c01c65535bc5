/* check2016_targets.c: the rest of check2016.c: target constructs, flush, and how the tool starts and ends. */

static void on_flush(ompt_data_t *data, const void *code)
{
    if (!enter("flush", 0, 0))
        return;
    check_code(code);
    REQUIRE(data == self.data, rule_thread_data, "another thread's");
    leave();
}

/* With nowait and depend a target is reported in the target task, as belonging to the task that created that. */
static void on_target(int32_t device, ompt_target_type_t kind, ompt_data_t *task, ompt_scope_endpoint_t at, ompt_target_id_t id, const void *code)
{
    ompt_task_type_t type = 0;
    ompt_data_t *k = NULL;
    uint64_t asked = 0, operation = 1;
    (void)device;
    if (!enter("target", 0, 0))
        return;
    check_code(code);
    REQUIRE(kind >= ompt_target_type_target && kind <= ompt_task_target_update, rule_kind, "kind %d", (int)kind);
    REQUIRE(ask.task(0, &type, &k, NULL, NULL), rule_info_task, "no task");
    if (k != NULL && type == ompt_task_target)
        REQUIRE(find(k, a_task)->parent == task, rule_current, "not the task that created the target task");
    else
        (void)own_context(task);
    REQUIRE(id != 0 && ask.target(&asked, &operation) && asked == id && operation == 0, rule_target, "inquiry gives %d", (int)asked);
    if (at == ompt_scope_begin) {
        self.targets[self.in_target++ & 7] = id;
    } else {
        REQUIRE(self.in_target > 0 && self.targets[(self.in_target - 1) & 7] == id, rule_target, "another one ends");
        self.in_target -= self.in_target > 0;
    }
    leave();
}

/* What is done for a construct is done within it; id 0: for a routine such as omp_target_alloc. */
static void check_operation(ompt_target_id_t id)
{
    REQUIRE(self.in_target == 0 ? id == 0 : id == self.targets[(self.in_target - 1) & 7], rule_target, "target %d", (int)id);
}

/* omp_target_free does not know how much it frees. */
static void on_target_data(ompt_target_id_t id, ompt_target_id_t operation, ompt_target_data_op_t type, void *host, void *device, size_t bytes)
{
    if (!enter("target_data", 0, 0))
        return;
    (void)id;
    REQUIRE(type >= ompt_target_data_alloc && type <= ompt_target_data_delete, rule_kind, "kind %d", (int)type);
    REQUIRE(operation != 0 && host != device && (bytes > 0 || type == ompt_target_data_delete), rule_target, "%zu bytes, kind %d", bytes, (int)type);
    leave();
}

static void on_target_submit(ompt_target_id_t id, ompt_target_id_t operation, uint32_t requested, uint32_t granted)
{
    uint64_t asked = 0, now = 0;
    (void)requested;
    if (!enter("target_submit", 0, 0))
        return;
    check_operation(id);
    REQUIRE(granted >= 1 && operation != 0 && ask.target(&asked, &now) && asked == id && now == operation, rule_target, "operation %d", (int)now);
    leave();
}

static void on_target_map(ompt_target_id_t id, uint32_t n, void **host, void **device, size_t *bytes, uint32_t *flags)
{
    if (!enter("target_data_map", 0, 0))
        return;
    check_operation(id);
    REQUIRE(n > 0 && host != NULL && device != NULL && bytes != NULL && flags != NULL, rule_target, "%u items", n);
    leave();
}

static void on_shutdown(void)
{
    own.event = "runtime_shutdown";
    REQUIRE(is_over() || atomic_load(&check.open) == 0, rule_thread_open, "%d threads", atomic_load(&check.open));
    check_report();
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    static const struct {
        int event;
        ompt_callback_t callback;
    } all[] = {
        {ompt_event_thread_begin, (ompt_callback_t)on_thread_begin}, {ompt_event_thread_end, (ompt_callback_t)on_thread_end},
        {ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin}, {ompt_event_parallel_end, (ompt_callback_t)on_parallel_end},
        {ompt_event_task_create, (ompt_callback_t)on_task_create}, {ompt_event_task_schedule, (ompt_callback_t)on_task_schedule},
        {ompt_event_implicit_task, (ompt_callback_t)on_implicit_task}, {ompt_event_target, (ompt_callback_t)on_target},
        {ompt_event_target_data, (ompt_callback_t)on_target_data}, {ompt_event_target_submit, (ompt_callback_t)on_target_submit},
        {ompt_event_runtime_shutdown, on_shutdown}, {ompt_event_idle, (ompt_callback_t)on_idle},
        {ompt_event_sync_region_wait, (ompt_callback_t)on_wait}, {ompt_event_mutex_release, (ompt_callback_t)on_release},
        {ompt_event_task_dependences, (ompt_callback_t)on_dependences}, {ompt_event_task_dependence_pair, (ompt_callback_t)on_pair},
        {ompt_event_worksharing, (ompt_callback_t)on_worksharing}, {ompt_event_master, (ompt_callback_t)on_master},
        {ompt_event_target_data_map, (ompt_callback_t)on_target_map}, {ompt_event_sync_region, (ompt_callback_t)on_sync_region},
        {ompt_event_init_lock, (ompt_callback_t)on_init_lock}, {ompt_event_destroy_lock, (ompt_callback_t)on_destroy_lock},
        {ompt_event_mutex_acquire, (ompt_callback_t)on_acquire}, {ompt_event_mutex_acquired, (ompt_callback_t)on_acquired},
        {ompt_event_nested_lock, (ompt_callback_t)on_nested}, {ompt_event_flush, (ompt_callback_t)on_flush},
    };
    omp_state_t s = omp_state_undefined;
    const char *name;
    ask.thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    ask.state = (ompt_get_state_t)lookup("ompt_get_state");
    ask.region = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    ask.task = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    ask.target = (ompt_get_target_info_t)lookup("ompt_get_target_info");
    while (((ompt_enumerate_states_t)lookup("ompt_enumerate_states"))(s, &s, &name))
        known[s & 0xff] = 1;
    memset(&self, 0, sizeof self);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        (void)((ompt_set_callback_t)lookup("ompt_set_callback"))((ompt_event_t)all[i].event, all[i].callback);
    dprintf(check.fd, "started %u %s\n", version, runtime);
}

ompt_initialize_fn_t ompt_tool(void) { return check_open() ? initialize : NULL; }
