/* raise.c: the calls of the tools, one function per callback.
 *
 * The functions are inline and test first whether any tool gets the event: without one an event
 * costs a few stores. They read the arguments from the records only here. So an event that does
 * nothing after the call keeps no value across it.
 */
#include "bridge.h"

OPARI_INLINE int opari_has_callback(int event)
{
    return OPARI_ACQUIRE(&opari_tools.callback[event]) != NULL;
}

/* Defines opari_raise_NAME(PARAMETERS). The last arguments are those of the callback, with the data
 * words of tool 0. */
#define OPARI_DEFINE_RAISE(name, event, type, parameters, ...) \
    OPARI_INLINE void opari_raise_##name parameters \
    { \
        const type call = (type)OPARI_ACQUIRE(&opari_tools.callback[event]); \
        if (call != NULL) \
            call(__VA_ARGS__); \
    }

#define OPARI_PARALLEL_DATA (&t->task->parallel->data[0])
#define OPARI_TASK_DATA (&t->task->data[0])
#define OPARI_TASK_KIND (t->task->flags & (ompt_task_initial | ompt_task_implicit))

OPARI_DEFINE_RAISE(thread_begin, ompt_callback_thread_begin, ompt_callback_thread_begin_t,
                   (struct opari_thread * t), (ompt_thread_t)t->type, &t->data[0])
OPARI_DEFINE_RAISE(thread_end, ompt_callback_thread_end, ompt_callback_thread_end_t,
                   (struct opari_thread * t), &t->data[0])

OPARI_DEFINE_RAISE(initial_task, ompt_callback_implicit_task, ompt_callback_implicit_task_t,
                   (struct opari_thread * t, ompt_scope_endpoint_t at), at, OPARI_PARALLEL_DATA,
                   OPARI_TASK_DATA, at == ompt_scope_begin, 1, ompt_task_initial)
OPARI_DEFINE_RAISE(implicit_task_begin, ompt_callback_implicit_task, ompt_callback_implicit_task_t,
                   (struct opari_thread * t, int size), ompt_scope_begin, OPARI_PARALLEL_DATA,
                   OPARI_TASK_DATA, (unsigned)size, (unsigned)t->task->index, OPARI_TASK_KIND)
/* The parallel data is null at the end because the region may be gone. OpenMP 5.2 [19.5.2.11] gives
 * an initial task no size there. The same holds for the first implicit task of a region, but LLVM's
 * runtime passes it.
 * The compiler must not load index and flags as one word: a load of two words that were just stored
 * separately takes longer than all the rest. */
OPARI_DEFINE_RAISE(implicit_task_end, ompt_callback_implicit_task, ompt_callback_implicit_task_t,
                   (struct opari_thread * t), ompt_scope_end, NULL, OPARI_TASK_DATA,
                   OPARI_LOAD(&t->task->index) == 0 &&
                           (OPARI_LOAD(&t->task->flags) & ompt_task_initial) == 0
                       ? (unsigned)OPARI_LOAD(&t->task->parallel->size)
                       : 0u,
                   (unsigned)t->task->index, OPARI_TASK_KIND)

/* The same for the first implicit task of a region. */
OPARI_DEFINE_RAISE(first_task_end, ompt_callback_implicit_task, ompt_callback_implicit_task_t,
                   (struct opari_thread * t), ompt_scope_end, NULL, OPARI_TASK_DATA,
                   (unsigned)OPARI_LOAD(&t->task->parallel->size), 0u, ompt_task_implicit)

OPARI_DEFINE_RAISE(parallel_begin, ompt_callback_parallel_begin, ompt_callback_parallel_begin_t,
                   (struct opari_thread * t, struct opari_parallel *p, const void *ra),
                   OPARI_TASK_DATA, &t->task->frame, &p->data[0], (unsigned)p->requested, p->flags,
                   ra)
OPARI_DEFINE_RAISE(parallel_end, ompt_callback_parallel_end, ompt_callback_parallel_end_t,
                   (struct opari_thread * t, struct opari_parallel *p, const void *ra), &p->data[0],
                   OPARI_TASK_DATA, p->flags, ra)

OPARI_DEFINE_RAISE(task_create, ompt_callback_task_create, ompt_callback_task_create_t,
                   (struct opari_thread * t, struct opari_task *k, int dependences, const void *ra),
                   OPARI_TASK_DATA, &t->task->frame, &k->data[0], k->flags, dependences, ra)
OPARI_DEFINE_RAISE(task_schedule, ompt_callback_task_schedule, ompt_callback_task_schedule_t,
                   (struct opari_task * prior, ompt_task_status_t status, struct opari_task *next),
                   &prior->data[0], status, &next->data[0])

OPARI_DEFINE_RAISE(work, ompt_callback_work, ompt_callback_work_t,
                   (struct opari_thread * t, int type, ompt_scope_endpoint_t at, uint64_t count,
                    const void *ra),
                   (ompt_work_t)type, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, count, ra)
OPARI_DEFINE_RAISE(masked, ompt_callback_masked, ompt_callback_masked_t,
                   (struct opari_thread * t, ompt_scope_endpoint_t at, const void *ra), at,
                   OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_DEFINE_RAISE(dispatch, ompt_callback_dispatch, ompt_callback_dispatch_t,
                   (struct opari_thread * t, ompt_dispatch_t kind, ompt_data_t instance),
                   OPARI_PARALLEL_DATA, OPARI_TASK_DATA, kind, instance)
OPARI_DEFINE_RAISE(region, OPARI_EVENT_REGION, opari_callback_region_t,
                   (struct opari_thread * t, ompt_scope_endpoint_t at, int region_class,
                    const void *user, const void *ra),
                   at, (opari_region_class_t)region_class, OPARI_PARALLEL_DATA, OPARI_TASK_DATA,
                   user, ra)

OPARI_DEFINE_RAISE(sync, ompt_callback_sync_region, ompt_callback_sync_region_t,
                   (struct opari_thread * t, int kind, ompt_scope_endpoint_t at, const void *ra),
                   (ompt_sync_region_t)kind, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_DEFINE_RAISE(wait, ompt_callback_sync_region_wait, ompt_callback_sync_region_t,
                   (struct opari_thread * t, int kind, ompt_scope_endpoint_t at, const void *ra),
                   (ompt_sync_region_t)kind, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_DEFINE_RAISE(reduction, ompt_callback_reduction, ompt_callback_sync_region_t,
                   (struct opari_thread * t, ompt_scope_endpoint_t at, const void *ra),
                   ompt_sync_region_reduction, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_DEFINE_RAISE(last_sync_end, ompt_callback_sync_region, ompt_callback_sync_region_t,
                   (struct opari_thread * t, int kind, const void *ra), (ompt_sync_region_t)kind,
                   ompt_scope_end, NULL, OPARI_TASK_DATA, ra)
OPARI_DEFINE_RAISE(last_wait_end, ompt_callback_sync_region_wait, ompt_callback_sync_region_t,
                   (struct opari_thread * t, int kind, const void *ra), (ompt_sync_region_t)kind,
                   ompt_scope_end, NULL, OPARI_TASK_DATA, ra)

OPARI_DEFINE_RAISE(mutex_acquire, ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t,
                   (int kind, unsigned hint, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind,
                   hint,
                   kind == ompt_mutex_ordered ? (unsigned)OPARI_IMPL_TURN
                                              : (unsigned)OPARI_IMPL_MUTEX,
                   id, ra)
OPARI_DEFINE_RAISE(mutex_acquired, ompt_callback_mutex_acquired, ompt_callback_mutex_t,
                   (int kind, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind, id, ra)
OPARI_DEFINE_RAISE(mutex_released, ompt_callback_mutex_released, ompt_callback_mutex_t,
                   (int kind, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind, id, ra)
OPARI_DEFINE_RAISE(nest_lock, ompt_callback_nest_lock, ompt_callback_nest_lock_t,
                   (ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra), at, id, ra)
OPARI_DEFINE_RAISE(lock_init, ompt_callback_lock_init, ompt_callback_mutex_acquire_t,
                   (int kind, unsigned hint, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind,
                   hint, (unsigned)OPARI_IMPL_MUTEX, id, ra)
OPARI_DEFINE_RAISE(lock_destroy, ompt_callback_lock_destroy, ompt_callback_mutex_t,
                   (int kind, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind, id, ra)
OPARI_DEFINE_RAISE(cancel, ompt_callback_cancel, ompt_callback_cancel_t,
                   (struct opari_task * k, int flags, const void *ra), &k->data[0], flags, ra)
OPARI_DEFINE_RAISE(dependences, ompt_callback_dependences, ompt_callback_dependences_t,
                   (struct opari_task * k, const ompt_dependence_t *list, int n), &k->data[0], list,
                   n)
OPARI_DEFINE_RAISE(task_dependence, ompt_callback_task_dependence, ompt_callback_task_dependence_t,
                   (struct opari_task * source, struct opari_task *sink), &source->data[0],
                   &sink->data[0])
OPARI_DEFINE_RAISE(taskwait_done, ompt_callback_task_schedule, ompt_callback_task_schedule_t,
                   (struct opari_task * k), &k->data[0], ompt_taskwait_complete, NULL)
OPARI_DEFINE_RAISE(task_fulfilled, ompt_callback_task_schedule, ompt_callback_task_schedule_t,
                   (struct opari_task * k, ompt_task_status_t status), &k->data[0], status, NULL)
OPARI_DEFINE_RAISE(error, ompt_callback_error, ompt_callback_error_t,
                   (ompt_severity_t severity, const char *message, size_t length, const void *ra),
                   severity, message, length, ra)
OPARI_DEFINE_RAISE(flush, ompt_callback_flush, ompt_callback_flush_t,
                   (struct opari_thread * t, const void *ra), &t->data[0], ra)

OPARI_DEFINE_RAISE(created, OPARI_EVENT_CREATED, opari_callback_created_t,
                   (struct opari_thread * t), OPARI_TASK_DATA)
OPARI_DEFINE_RAISE(unload, OPARI_EVENT_UNLOAD, opari_callback_unload_t,
                   (struct ompregdescr * first, int n), first, n)
OPARI_DEFINE_RAISE(control, OPARI_EVENT_CONTROL, opari_callback_control_t, (opari_control_t what),
                   what)

/* Returns the answer to omp_control_tool: that of the last tool with a callback. Without any,
 * OpenMP 5.2 [18.14] distinguishes a tool that has no callback from no tool at all. A finalized
 * tool counts as none. */
static int opari_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    int answer = -2, nobody = -1; /* omp_control_tool_notool, omp_control_tool_nocallback */
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (unsigned tool = 0; tool < tools; tool++) {
        ompt_callback_control_tool_t call = (ompt_callback_control_tool_t)OPARI_ACQUIRE(
            &opari_tools.tool[tool].call[ompt_callback_control_tool]);
        if (call != NULL)
            answer = nobody = call(command, modifier, arg, ra);
        else if (tool >= opari_own_tools && OPARI_ACQUIRE(&opari_tools.tool[tool].result) != NULL)
            answer = nobody;
    }
    return answer;
}
