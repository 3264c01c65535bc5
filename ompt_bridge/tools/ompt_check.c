/* ompt_check.c: an OMPT tool that checks whether a runtime keeps to the protocol.
 *
 * It follows every thread, region and task by the events, and calls the inquiry functions in each
 * callback. A contradiction violates one of the rules in check.h. OPARI_OMPT_CHECK names the file
 * to which the tool appends; without it the tool declines. OPARI_OMPT_CHECK_SKIP lists rules to
 * leave out. OPARI_OMPT_CHECK_EVENTS is the largest number of events to check. The lines of the
 * file:
 *
 *   started VERSION RUNTIME            once for each process
 *   violation RULE: thread N, EVENT: what
 *   total RULE N                       at the end
 *   finalized|exited N events M threads
 *
 * One lock guards everything. The checker's cost does not matter, and with the lock the program's
 * order of events stays a possible one.
 */
#include "check_model.c"

#include "check_info.c"

#include "check_tasks.c"

#include "check_mutex.c"
#include "check_scopes.c"
#include "check_target.c"

static void skip(const char *list)
{
    while (list != NULL && *list != 0) {
        size_t n = strcspn(list, ",");
        for (int i = 0; i < RULES; i++)
            if (strlen(rule_names[i]) == n && strncmp(rule_names[i], list, n) == 0)
                check.off[i] = 1;
        list += n + (list[n] == ',');
    }
}

/* The child has one thread. What the other threads began never ends there. The parent reports what
 * was found before. */
static void in_child(void)
{
    pthread_mutex_init(&check.lock, NULL);
    check.forked = 1;
    check.events = 0;
    memset(check.count, 0, sizeof check.count);
    for (struct check_thread *t = check.all; t != NULL; t = t->next)
        t->ended |= t != self;
}

static const struct {
    int event;
    ompt_callback_t callback;
} callbacks[] = {
    {ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin},
    {ompt_callback_thread_end, (ompt_callback_t)on_thread_end},
    {ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin},
    {ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end},
    {ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task},
    {ompt_callback_task_create, (ompt_callback_t)on_task_create},
    {ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule},
    {ompt_callback_dependences, (ompt_callback_t)on_dependences},
    {ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence},
    {ompt_callback_work, (ompt_callback_t)on_work},
    {ompt_callback_masked, (ompt_callback_t)on_masked},
    {ompt_callback_dispatch, (ompt_callback_t)on_dispatch},
    {ompt_callback_sync_region, (ompt_callback_t)on_sync},
    {ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_wait},
    {ompt_callback_reduction, (ompt_callback_t)on_reduction},
    {ompt_callback_lock_init, (ompt_callback_t)on_lock_init},
    {ompt_callback_lock_destroy, (ompt_callback_t)on_lock_destroy},
    {ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire},
    {ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired},
    {ompt_callback_mutex_released, (ompt_callback_t)on_released},
    {ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock},
    {ompt_callback_flush, (ompt_callback_t)on_flush},
    {ompt_callback_cancel, (ompt_callback_t)on_cancel},
    {ompt_callback_error, (ompt_callback_t)on_error},
    {ompt_callback_target_emi, (ompt_callback_t)on_target_emi},
    {ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op_emi},
    {ompt_callback_target_submit_emi, (ompt_callback_t)on_submit_emi},
    {ompt_callback_target_map_emi, (ompt_callback_t)on_map_emi},
    {ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize},
    {ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize},
};

static ompt_set_callback_t set;

/* Ends the checks, so that the program continues at its own pace. */
static void stop(void)
{
    check.stopped = 1;
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        (void)set((ompt_callbacks_t)callbacks[i].event, NULL);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
    set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)tool_data;
    if (set == NULL)
        return 0;
    check_ask.thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    check_ask.state = (ompt_get_state_t)lookup("ompt_get_state");
    check_ask.task = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    check_ask.region = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    list_states((ompt_enumerate_states_t)lookup("ompt_enumerate_states"));
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        (void)set((ompt_callbacks_t)callbacks[i].event, callbacks[i].callback);
    return 1;
}

/* Writes the last lines when the library is unloaded, so that events after finalize count too. It
 * runs again if finalize comes later still. */
__attribute__((destructor)) static void last_word(void)
{
    if (check.fd < 0)
        return;
    check.reported = 1;
    report(check.finalized ? "finalized" : "exited");
}

/* Whether a thread executes a task. If another thread calls exit then, this one ends with the
 * process, and nobody can raise its thread_end. */
static int is_busy(const struct check_thread *t)
{
    return t->current != NULL && !is_initial(t->current);
}

static void finalize(ompt_data_t *tool_data)
{
    (void)tool_data;
    pthread_mutex_lock(&check.lock);
    check.event = "finalize";
    for (const struct check_thread *t = check.all; t != NULL; t = t->next)
        REQUIRE(t->ended || is_busy(t), rule_thread_open, "thread %u has not ended", t->number);
    check.finalized = 1;
    if (check.reported)
        last_word();
    pthread_mutex_unlock(&check.lock);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version);

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    const char *file = getenv("OPARI_OMPT_CHECK");
    if (file == NULL || *file == 0 || check.fd >= 0)
        return check.fd >= 0 ? &result : NULL;
    check.fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (check.fd < 0)
        return NULL;
    skip(getenv("OPARI_OMPT_CHECK_SKIP"));
    if (getenv("OPARI_OMPT_CHECK_EVENTS") != NULL)
        check.limit = strtoul(getenv("OPARI_OMPT_CHECK_EVENTS"), NULL, 10);
    (void)pthread_atfork(NULL, NULL, in_child);
    say("started %u %s\n", omp_version, runtime_version == NULL ? "" : runtime_version);
    return &result;
}
