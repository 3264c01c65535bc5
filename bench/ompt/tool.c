/* A tool for OpenMP's tool interface whose callbacks do nothing. */
#include "omp_tools.h"

/* X(event, parameters) */
#define FOREACH_EVENT(X) \
    X(thread_begin, (ompt_thread_t a, ompt_data_t * b)) \
    X(thread_end, (ompt_data_t * a)) \
    X(parallel_begin, \
      (ompt_data_t * a, const ompt_frame_t *b, ompt_data_t *c, unsigned d, int e, const void *f)) \
    X(parallel_end, (ompt_data_t * a, ompt_data_t * b, int c, const void *d)) \
    X(implicit_task, \
      (ompt_scope_endpoint_t a, ompt_data_t * b, ompt_data_t * c, unsigned d, unsigned e, int f)) \
    X(task_create, \
      (ompt_data_t * a, const ompt_frame_t *b, ompt_data_t *c, int d, int e, const void *f)) \
    X(task_schedule, (ompt_data_t * a, ompt_task_status_t b, ompt_data_t * c)) \
    X(work, (ompt_work_t a, ompt_scope_endpoint_t b, ompt_data_t * c, ompt_data_t * d, uint64_t e, \
             const void *f)) \
    X(masked, (ompt_scope_endpoint_t a, ompt_data_t * b, ompt_data_t * c, const void *d)) \
    X(sync_region, (ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t * c, \
                    ompt_data_t * d, const void *e)) \
    X(sync_region_wait, (ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t * c, \
                         ompt_data_t * d, const void *e)) \
    X(reduction, (ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t * c, ompt_data_t * d, \
                  const void *e)) \
    X(mutex_acquire, (ompt_mutex_t a, unsigned b, unsigned c, ompt_wait_id_t d, const void *e)) \
    X(mutex_acquired, (ompt_mutex_t a, ompt_wait_id_t b, const void *c)) \
    X(mutex_released, (ompt_mutex_t a, ompt_wait_id_t b, const void *c)) \
    X(nest_lock, (ompt_scope_endpoint_t a, ompt_wait_id_t b, const void *c)) \
    X(lock_init, (ompt_mutex_t a, unsigned b, unsigned c, ompt_wait_id_t d, const void *e)) \
    X(lock_destroy, (ompt_mutex_t a, ompt_wait_id_t b, const void *c)) \
    X(flush, (ompt_data_t * a, const void *b))

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define X(name, parameters) \
    static void on_##name parameters { __asm__ volatile(""); }
FOREACH_EVENT(X)
#undef X

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
#define X(name, parameters) (void)set(ompt_callback_##name, (ompt_callback_t)on_##name);
    FOREACH_EVENT(X)
#undef X
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
