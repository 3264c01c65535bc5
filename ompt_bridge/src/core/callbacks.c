/* callbacks.c: which tools get an event: one callback, however many tools there are.
 *
 * An event tests one word, opari_tools.callback[event]. It is null, the callback of the only tool,
 * or a function from this file that has the same parameters and calls each tool. A record keeps the
 * data words of the tools side by side, so an event passes the word of tool 0.
 */
#include "bridge.h"
#include "../trace/trace.h"

/* The data word of another tool; null stays null. */
#define OPARI_OF(data) ((data) != NULL ? (data) + tool : NULL)

#define OPARI_EACH(name, event, type, parameters, ...) \
    static void opari_each_##name parameters \
    { \
        unsigned tools = OPARI_ACQUIRE(&opari_tools.count); \
        for (unsigned tool = 0; tool < tools; tool++) { \
            type call = (type)OPARI_ACQUIRE(&opari_tools.tool[tool].call[event]); \
            if (call != NULL) \
                call(__VA_ARGS__); \
        } \
    }

/* The kind of a barrier in the tool's dialect: OpenMP 5.0 has one kind for all implicit
 * barriers. */
OPARI_INLINE ompt_sync_region_t opari_sync_kind(ompt_sync_region_t kind)
{
    if (opari_dialect == 50 && kind >= ompt_sync_region_barrier_implicit_workshare)
        return ompt_sync_region_barrier_implicit;
    return kind;
}

OPARI_EACH(thread_begin, ompt_callback_thread_begin, ompt_callback_thread_begin_t,
           (ompt_thread_t type, ompt_data_t *thread), type, OPARI_OF(thread))
OPARI_EACH(thread_end, ompt_callback_thread_end, ompt_callback_thread_end_t, (ompt_data_t * thread),
           OPARI_OF(thread))
OPARI_EACH(parallel_begin, ompt_callback_parallel_begin, ompt_callback_parallel_begin_t,
           (ompt_data_t * task, const ompt_frame_t *frame, ompt_data_t *parallel,
            unsigned requested, int flags, const void *ra),
           OPARI_OF(task), frame, OPARI_OF(parallel), requested, flags, ra)
OPARI_EACH(parallel_end, ompt_callback_parallel_end, ompt_callback_parallel_end_t,
           (ompt_data_t * parallel, ompt_data_t *task, int flags, const void *ra),
           OPARI_OF(parallel), OPARI_OF(task), flags, ra)
OPARI_EACH(implicit_task, ompt_callback_implicit_task, ompt_callback_implicit_task_t,
           (ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
            unsigned index, int flags),
           at, OPARI_OF(parallel), OPARI_OF(task), size, index, flags)
OPARI_EACH(task_create, ompt_callback_task_create, ompt_callback_task_create_t,
           (ompt_data_t * task, const ompt_frame_t *frame, ompt_data_t *made, int flags,
            int dependences, const void *ra),
           OPARI_OF(task), frame, OPARI_OF(made), flags, dependences, ra)
OPARI_EACH(task_schedule, ompt_callback_task_schedule, ompt_callback_task_schedule_t,
           (ompt_data_t * prior, ompt_task_status_t status, ompt_data_t *next), OPARI_OF(prior),
           status, OPARI_OF(next))
OPARI_EACH(work, ompt_callback_work, ompt_callback_work_t,
           (ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
            uint64_t count, const void *ra),
           type, at, OPARI_OF(parallel), OPARI_OF(task), count, ra)
OPARI_EACH(masked, ompt_callback_masked, ompt_callback_masked_t,
           (ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *ra), at,
           OPARI_OF(parallel), OPARI_OF(task), ra)
OPARI_EACH(dispatch, ompt_callback_dispatch, ompt_callback_dispatch_t,
           (ompt_data_t * parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance),
           OPARI_OF(parallel), OPARI_OF(task), kind, instance)
OPARI_EACH(sync, ompt_callback_sync_region, ompt_callback_sync_region_t,
           (ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
            ompt_data_t *task, const void *ra),
           opari_sync_kind(kind), at, OPARI_OF(parallel), OPARI_OF(task), ra)
OPARI_EACH(wait, ompt_callback_sync_region_wait, ompt_callback_sync_region_t,
           (ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
            ompt_data_t *task, const void *ra),
           opari_sync_kind(kind), at, OPARI_OF(parallel), OPARI_OF(task), ra)
OPARI_EACH(reduction, ompt_callback_reduction, ompt_callback_sync_region_t,
           (ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
            ompt_data_t *task, const void *ra),
           kind, at, OPARI_OF(parallel), OPARI_OF(task), ra)
OPARI_EACH(mutex_acquire, ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t,
           (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *ra),
           kind, hint, impl, id, ra)
OPARI_EACH(mutex_acquired, ompt_callback_mutex_acquired, ompt_callback_mutex_t,
           (ompt_mutex_t kind, ompt_wait_id_t id, const void *ra), kind, id, ra)
OPARI_EACH(mutex_released, ompt_callback_mutex_released, ompt_callback_mutex_t,
           (ompt_mutex_t kind, ompt_wait_id_t id, const void *ra), kind, id, ra)
OPARI_EACH(nest_lock, ompt_callback_nest_lock, ompt_callback_nest_lock_t,
           (ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra), at, id, ra)
OPARI_EACH(lock_init, ompt_callback_lock_init, ompt_callback_mutex_acquire_t,
           (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *ra),
           kind, hint, impl, id, ra)
OPARI_EACH(lock_destroy, ompt_callback_lock_destroy, ompt_callback_mutex_t,
           (ompt_mutex_t kind, ompt_wait_id_t id, const void *ra), kind, id, ra)
OPARI_EACH(flush, ompt_callback_flush, ompt_callback_flush_t,
           (ompt_data_t * thread, const void *ra), OPARI_OF(thread), ra)
OPARI_EACH(cancel, ompt_callback_cancel, ompt_callback_cancel_t,
           (ompt_data_t * task, int flags, const void *ra), OPARI_OF(task), flags, ra)
OPARI_EACH(dependences, ompt_callback_dependences, ompt_callback_dependences_t,
           (ompt_data_t * task, const ompt_dependence_t *list, int n), OPARI_OF(task), list, n)
OPARI_EACH(task_dependence, ompt_callback_task_dependence, ompt_callback_task_dependence_t,
           (ompt_data_t * source, ompt_data_t *sink), OPARI_OF(source), OPARI_OF(sink))
OPARI_EACH(error, ompt_callback_error, ompt_callback_error_t,
           (ompt_severity_t severity, const char *message, size_t length, const void *ra), severity,
           message, length, ra)
OPARI_EACH(region, OPARI_EVENT_REGION, opari_callback_region_t,
           (ompt_scope_endpoint_t at, opari_region_class_t region_class, ompt_data_t *parallel,
            ompt_data_t *task, const void *user, const void *ra),
           at, region_class, OPARI_OF(parallel), OPARI_OF(task), user, ra)
OPARI_EACH(created, OPARI_EVENT_CREATED, opari_callback_created_t, (ompt_data_t * task),
           OPARI_OF(task))
OPARI_EACH(unload, OPARI_EVENT_UNLOAD, opari_callback_unload_t, (struct ompregdescr * first, int n),
           first, n)
OPARI_EACH(control, OPARI_EVENT_CONTROL, opari_callback_control_t, (opari_control_t what), what)

/* Events that are missing here are never raised, or are asked for in another way: omp_control_tool
 * returns an answer. */
static const ompt_callback_t opari_each[OPARI_EVENTS] = {
    [ompt_callback_thread_begin] = (ompt_callback_t)opari_each_thread_begin,
    [ompt_callback_thread_end] = (ompt_callback_t)opari_each_thread_end,
    [ompt_callback_parallel_begin] = (ompt_callback_t)opari_each_parallel_begin,
    [ompt_callback_parallel_end] = (ompt_callback_t)opari_each_parallel_end,
    [ompt_callback_implicit_task] = (ompt_callback_t)opari_each_implicit_task,
    [ompt_callback_task_create] = (ompt_callback_t)opari_each_task_create,
    [ompt_callback_task_schedule] = (ompt_callback_t)opari_each_task_schedule,
    [ompt_callback_work] = (ompt_callback_t)opari_each_work,
    [ompt_callback_masked] = (ompt_callback_t)opari_each_masked,
    [ompt_callback_dispatch] = (ompt_callback_t)opari_each_dispatch,
    [ompt_callback_sync_region] = (ompt_callback_t)opari_each_sync,
    [ompt_callback_sync_region_wait] = (ompt_callback_t)opari_each_wait,
    [ompt_callback_reduction] = (ompt_callback_t)opari_each_reduction,
    [ompt_callback_mutex_acquire] = (ompt_callback_t)opari_each_mutex_acquire,
    [ompt_callback_mutex_acquired] = (ompt_callback_t)opari_each_mutex_acquired,
    [ompt_callback_mutex_released] = (ompt_callback_t)opari_each_mutex_released,
    [ompt_callback_nest_lock] = (ompt_callback_t)opari_each_nest_lock,
    [ompt_callback_lock_init] = (ompt_callback_t)opari_each_lock_init,
    [ompt_callback_lock_destroy] = (ompt_callback_t)opari_each_lock_destroy,
    [ompt_callback_flush] = (ompt_callback_t)opari_each_flush,
    [ompt_callback_cancel] = (ompt_callback_t)opari_each_cancel,
    [ompt_callback_dependences] = (ompt_callback_t)opari_each_dependences,
    [ompt_callback_task_dependence] = (ompt_callback_t)opari_each_task_dependence,
    [ompt_callback_error] = (ompt_callback_t)opari_each_error,
    [OPARI_EVENT_REGION] = (ompt_callback_t)opari_each_region,
    [OPARI_EVENT_CREATED] = (ompt_callback_t)opari_each_created,
    [OPARI_EVENT_UNLOAD] = (ompt_callback_t)opari_each_unload,
    [OPARI_EVENT_CONTROL] = (ompt_callback_t)opari_each_control,
};

/* These let a task whose events no tool wants take the same short path as other tasks. A null
 * callback in plain means that the recorder may be the only tool, which takes the longer path. */
static void opari_no_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made,
                            int flags, int depends, const void *ra)
{
    (void)task, (void)frame, (void)made, (void)flags, (void)depends, (void)ra;
}

static void opari_no_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    (void)prior, (void)status, (void)next;
}

static const ompt_callback_t opari_no_callback[OPARI_EVENTS] = {
    [ompt_callback_task_create] = (ompt_callback_t)opari_no_create,
    [ompt_callback_task_schedule] = (ompt_callback_t)opari_no_schedule,
};

static ompt_callback_t opari_plain(int event)
{
    if (OPARI_LOAD(&opari_trace_only))
        return NULL;
    return opari_tools.callback[event] != NULL ? opari_tools.callback[event]
                                               : opari_no_callback[event];
}

static int opari_targets_observed; /* OPARI_TARGETS_ flags: which events of the target family some
                                      tool gets */

enum {
    OPARI_TARGETS_ANY = 1,
    OPARI_TARGETS_OPERATIONS = 2,
    OPARI_TARGETS_MAPS = 4,
    OPARI_TARGETS_RECORDS = 8 /* a tool gets a device's records */
};

static unsigned opari_devices_traced; /* bit n: the user's tool traces device n */

/* Finds out, after a callback has changed, whether any tool gets events of the target family. */
static void opari_update_targets(void)
{
    static const unsigned char events[] = {
        ompt_callback_target,
        ompt_callback_target_data_op,
        ompt_callback_target_submit,
        ompt_callback_target_map,
        ompt_callback_target_emi,
        ompt_callback_target_data_op_emi,
        ompt_callback_target_submit_emi,
        ompt_callback_target_map_emi,
        ompt_callback_device_initialize,
        ompt_callback_device_finalize,
        ompt_callback_device_load,
        ompt_callback_device_unload,
        /* These count for the user's tools only, because target tasks are tasks. Archer gets no
         * other event of this list and learns from them how two accesses are ordered. */
        ompt_callback_task_create,
        ompt_callback_task_schedule,
        ompt_callback_dependences,
        ompt_callback_task_dependence,
    };
    enum { TASKS = 4 };
    int observed = 0;
    OPARI_TOOLS_EACH (tool) {
        for (size_t i = 0; i < sizeof events - (tool < opari_own_tools ? TASKS : 0); i++)
            observed |= opari_call(tool, events[i]) != NULL ? OPARI_TARGETS_ANY : 0;
        if (opari_call(tool, ompt_callback_target_data_op) != NULL ||
            opari_call(tool, ompt_callback_target_data_op_emi) != NULL)
            observed |= OPARI_TARGETS_OPERATIONS;
        if (opari_call(tool, ompt_callback_target_map) != NULL ||
            opari_call(tool, ompt_callback_target_map_emi) != NULL)
            observed |= OPARI_TARGETS_MAPS;
    }
    observed |=
        OPARI_LOAD(&opari_devices_traced) != 0 ? OPARI_TARGETS_ANY | OPARI_TARGETS_RECORDS : 0;
    OPARI_STORE(&opari_targets_observed, observed);
}

/* Updates the tables after a callback or the list of tools has changed. An event that must be
 * translated for a tool also goes through the function for several tools. */
static void opari_update_callbacks(void)
{
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (int event = 0; event < OPARI_EVENTS; event++) {
        const int translated = opari_dialect == 50 && (event == ompt_callback_sync_region ||
                                                       event == ompt_callback_sync_region_wait);
        ompt_callback_t only = tools > 0 && !translated
                                   ? OPARI_LOAD(&opari_tools.tool[0].call[event])
                                   : NULL,
                        callback = only;
        for (unsigned tool = only != NULL; tool < tools; tool++)
            if (OPARI_LOAD(&opari_tools.tool[tool].call[event]) != NULL)
                callback = opari_each[event];
        OPARI_RELEASE(&opari_tools.callback[event], callback);
    }
    OPARI_STORE(&opari_trace_only,
                opari_tools.callback[ompt_callback_work] == (ompt_callback_t)trc_on_work &&
                    tools == 1);
    OPARI_STORE(&opari_trace_only_tasks, OPARI_LOAD(&opari_trace_only) && !trc.numbers);
    for (int event = 0; event < OPARI_EVENTS; event++)
        OPARI_RELEASE(&opari_tools.plain[event], opari_plain(event));
    opari_update_targets();
    OPARI_STORE(&opari_chunks_wanted, (tools > 0 && opari_own_tools > 0) ||
                                          opari_tools.callback[ompt_callback_dispatch] != NULL);
    OPARI_STORE(&opari_loops_differ,
                opari_dialect == 52 || opari_tools.callback[ompt_callback_dispatch] != NULL);
}
