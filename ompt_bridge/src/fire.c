/* fire.c: calling the tools, one function per callback.
 *
 * The calls stand apart from the events, behind a test whether any tool hears of the event: without one an event is a few stores, and
 * the compiler needs no registers saved for calls that do not happen. One tool is the common case: its callback is jumped to.
 */
#include "bridge.h"

/* Defines opari_fire_NAME(t, PARAMETERS). In the arguments of the callback `tool` is the tool's number. */
#define OPARI_FIRES(name, event, type, parameters, passed, ...)                                                                \
    static OPARI_COLD void opari_each_##name parameters                                                                        \
    {                                                                                                                          \
        unsigned heard = OPARI_LOAD(&opari_tools.heard[event]);                                                                \
        for (unsigned tool = 0; heard >> tool != 0; tool++) {                                                                  \
            type call = (type)OPARI_ACQUIRE(&opari_tools.tool[tool].call[event]);                                              \
            if ((heard >> tool & 1) != 0 && call != NULL)                                                                      \
                call(__VA_ARGS__);                                                                                             \
        }                                                                                                                      \
    }                                                                                                                          \
    static __attribute__((noinline)) void opari_call_##name parameters                                                         \
    {                                                                                                                          \
        const unsigned tool = 0;                                                                                               \
        type only = (type)OPARI_ACQUIRE(&opari_tools.tool[0].call[event]);                                                     \
        (void)tool;                                                                                                            \
        if (OPARI_LIKELY(OPARI_LOAD(&opari_tools.heard[event]) == 1 && only != NULL))                                          \
            only(__VA_ARGS__);                                                                                                 \
        else                                                                                                                   \
            opari_each_##name passed;                                                                                          \
    }                                                                                                                          \
    OPARI_INLINE void opari_fire_##name parameters                                                                             \
    {                                                                                                                          \
        if (OPARI_UNLIKELY(OPARI_ACQUIRE(&opari_tools.heard[event]) != 0))                                                     \
            opari_call_##name passed;                                                                                          \
    }

/* After a change of a callback or of the tools: which tools hear which events. */
static void opari_hear(void)
{
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (int event = 0; event < OPARI_EVENTS; event++) {
        unsigned heard = 0;
        for (unsigned tool = 0; tool < tools; tool++)
            if (OPARI_LOAD(&opari_tools.tool[tool].call[event]) != NULL)
                heard |= 1u << tool;
        OPARI_RELEASE(&opari_tools.heard[event], heard);
    }
}

#define OPARI_PARALLEL_DATA (&t->task->parallel->data[tool])
#define OPARI_TASK_DATA (&t->task->data[tool])
#define OPARI_TASK_KIND (t->task->flags & (ompt_task_initial | ompt_task_implicit))

/* The kinds of barrier as a tool of an older dialect knows them: 5.0 had one for all implicit ones. */
OPARI_INLINE ompt_sync_region_t opari_sync_kind(int kind)
{
    if (OPARI_UNLIKELY(opari_dialect == 50) && kind >= ompt_sync_region_barrier_implicit_workshare)
        return ompt_sync_region_barrier_implicit;
    return (ompt_sync_region_t)kind;
}

OPARI_FIRES(thread_begin, ompt_callback_thread_begin, ompt_callback_thread_begin_t, (struct opari_thread * t), (t),
            (ompt_thread_t)t->type, &t->data[tool])
OPARI_FIRES(thread_end, ompt_callback_thread_end, ompt_callback_thread_end_t, (struct opari_thread * t), (t), &t->data[tool])

OPARI_FIRES(initial_task, ompt_callback_implicit_task, ompt_callback_implicit_task_t,
            (struct opari_thread * t, ompt_scope_endpoint_t at), (t, at), at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA,
            at == ompt_scope_begin, 1, ompt_task_initial)
OPARI_FIRES(implicit_task_begin, ompt_callback_implicit_task, ompt_callback_implicit_task_t, (struct opari_thread * t, int size), (t, size),
            ompt_scope_begin, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, (unsigned)size, (unsigned)t->task->index, OPARI_TASK_KIND)
/* The parallel data is null at the end: the region may be gone. Initial tasks tell no size there, OpenMP 5.2 [19.5.2.11]; nor should the first
 * implicit task of a region, but LLVM's runtime does. */
OPARI_FIRES(implicit_task_end, ompt_callback_implicit_task, ompt_callback_implicit_task_t, (struct opari_thread * t), (t), ompt_scope_end,
            NULL, OPARI_TASK_DATA,
            t->task->index == 0 && (t->task->flags & ompt_task_initial) == 0 ? (unsigned)t->task->parallel->size : 0u,
            (unsigned)t->task->index, OPARI_TASK_KIND)

OPARI_FIRES(parallel_begin, ompt_callback_parallel_begin, ompt_callback_parallel_begin_t,
            (struct opari_thread * t, struct opari_parallel *p, const void *ra), (t, p, ra), OPARI_TASK_DATA, &t->task->frame,
            &p->data[tool], (unsigned)p->requested, p->flags, ra)
OPARI_FIRES(parallel_end, ompt_callback_parallel_end, ompt_callback_parallel_end_t,
            (struct opari_thread * t, struct opari_parallel *p, const void *ra), (t, p, ra), &p->data[tool], OPARI_TASK_DATA, p->flags,
            ra)

OPARI_FIRES(task_create, ompt_callback_task_create, ompt_callback_task_create_t,
            (struct opari_thread * t, struct opari_task *k, int dependences, const void *ra), (t, k, dependences, ra), OPARI_TASK_DATA,
            &t->task->frame, &k->data[tool], k->flags, dependences, ra)
OPARI_FIRES(task_schedule, ompt_callback_task_schedule, ompt_callback_task_schedule_t,
            (struct opari_task * prior, ompt_task_status_t status, struct opari_task *next), (prior, status, next), &prior->data[tool],
            status, &next->data[tool])

OPARI_FIRES(work, ompt_callback_work, ompt_callback_work_t,
            (struct opari_thread * t, int type, ompt_scope_endpoint_t at, uint64_t count, const void *ra), (t, type, at, count, ra),
            (ompt_work_t)type, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, count, ra)
OPARI_FIRES(masked, ompt_callback_masked, ompt_callback_masked_t,
            (struct opari_thread * t, ompt_scope_endpoint_t at, const void *ra), (t, at, ra), at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA,
            ra)
OPARI_FIRES(dispatch, ompt_callback_dispatch, ompt_callback_dispatch_t,
            (struct opari_thread * t, ompt_dispatch_t kind, ompt_data_t instance), (t, kind, instance), OPARI_PARALLEL_DATA,
            OPARI_TASK_DATA, kind, instance)
OPARI_FIRES(region, OPARI_EVENT_REGION, opari_callback_region_t,
            (struct opari_thread * t, ompt_scope_endpoint_t at, int region_class, const void *user, const void *ra),
            (t, at, region_class, user, ra), at, (opari_region_class_t)region_class, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, user, ra)

OPARI_FIRES(sync, ompt_callback_sync_region, ompt_callback_sync_region_t,
            (struct opari_thread * t, int kind, ompt_scope_endpoint_t at, const void *ra), (t, kind, at, ra), opari_sync_kind(kind), at,
            OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_FIRES(wait, ompt_callback_sync_region_wait, ompt_callback_sync_region_t,
            (struct opari_thread * t, int kind, ompt_scope_endpoint_t at, const void *ra), (t, kind, at, ra), opari_sync_kind(kind), at,
            OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_FIRES(reduction, ompt_callback_reduction, ompt_callback_sync_region_t,
            (struct opari_thread * t, ompt_scope_endpoint_t at, const void *ra), (t, at, ra), ompt_sync_region_reduction, at,
            OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_FIRES(last_sync_end, ompt_callback_sync_region, ompt_callback_sync_region_t, (struct opari_thread * t, const void *ra), (t, ra),
            opari_sync_kind(ompt_sync_region_barrier_implicit_parallel), ompt_scope_end, NULL, OPARI_TASK_DATA, ra)
OPARI_FIRES(last_wait_end, ompt_callback_sync_region_wait, ompt_callback_sync_region_t, (struct opari_thread * t, const void *ra), (t, ra),
            opari_sync_kind(ompt_sync_region_barrier_implicit_parallel), ompt_scope_end, NULL, OPARI_TASK_DATA, ra)

OPARI_FIRES(mutex_acquire, ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t,
            (int kind, unsigned hint, ompt_wait_id_t id, const void *ra), (kind, hint, id, ra), (ompt_mutex_t)kind, hint,
            kind == ompt_mutex_ordered ? (unsigned)OPARI_IMPL_TURN : (unsigned)OPARI_IMPL_MUTEX, id, ra)
OPARI_FIRES(mutex_acquired, ompt_callback_mutex_acquired, ompt_callback_mutex_t, (int kind, ompt_wait_id_t id, const void *ra),
            (kind, id, ra), (ompt_mutex_t)kind, id, ra)
OPARI_FIRES(mutex_released, ompt_callback_mutex_released, ompt_callback_mutex_t, (int kind, ompt_wait_id_t id, const void *ra),
            (kind, id, ra), (ompt_mutex_t)kind, id, ra)
OPARI_FIRES(nest_lock, ompt_callback_nest_lock, ompt_callback_nest_lock_t, (ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra),
            (at, id, ra), at, id, ra)
OPARI_FIRES(lock_init, ompt_callback_lock_init, ompt_callback_mutex_acquire_t,
            (int kind, unsigned hint, ompt_wait_id_t id, const void *ra), (kind, hint, id, ra), (ompt_mutex_t)kind, hint,
            (unsigned)OPARI_IMPL_MUTEX, id, ra)
OPARI_FIRES(lock_destroy, ompt_callback_lock_destroy, ompt_callback_mutex_t, (int kind, ompt_wait_id_t id, const void *ra),
            (kind, id, ra), (ompt_mutex_t)kind, id, ra)
OPARI_FIRES(cancel, ompt_callback_cancel, ompt_callback_cancel_t, (struct opari_task * k, int flags, const void *ra), (k, flags, ra),
            &k->data[tool], flags, ra)
OPARI_FIRES(dependences, ompt_callback_dependences, ompt_callback_dependences_t,
            (struct opari_task * k, const ompt_dependence_t *list, int n), (k, list, n), &k->data[tool], list, n)
OPARI_FIRES(task_dependence, ompt_callback_task_dependence, ompt_callback_task_dependence_t,
            (struct opari_task * source, struct opari_task *sink), (source, sink), &source->data[tool], &sink->data[tool])
OPARI_FIRES(taskwait_done, ompt_callback_task_schedule, ompt_callback_task_schedule_t, (struct opari_task * k), (k), &k->data[tool],
            ompt_taskwait_complete, NULL)
OPARI_FIRES(task_fulfilled, ompt_callback_task_schedule, ompt_callback_task_schedule_t,
            (struct opari_task * k, ompt_task_status_t status), (k, status), &k->data[tool], status, NULL)
OPARI_FIRES(error, ompt_callback_error, ompt_callback_error_t,
            (ompt_severity_t severity, const char *message, size_t length, const void *ra), (severity, message, length, ra), severity,
            message, length, ra)
OPARI_FIRES(flush, ompt_callback_flush, ompt_callback_flush_t, (struct opari_thread * t, const void *ra), (t, ra), &t->data[tool], ra)

OPARI_FIRES(unload, OPARI_EVENT_UNLOAD, opari_callback_unload_t, (struct ompregdescr * first, int n), (first, n), first, n)
OPARI_FIRES(control, OPARI_EVENT_CONTROL, opari_callback_control_t, (opari_control_t what), (what), what)

/* The answer to omp_control_tool: that of the last tool with a callback. */
static int opari_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    int answer = -1; /* omp_control_tool_nocallback */
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (unsigned tool = 0; tool < tools; tool++) {
        ompt_callback_control_tool_t call =
            (ompt_callback_control_tool_t)OPARI_ACQUIRE(&opari_tools.tool[tool].call[ompt_callback_control_tool]);
        if (call != NULL)
            answer = call(command, modifier, arg, ra);
    }
    return answer;
}
