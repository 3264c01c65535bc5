/* ompt_2016.h: the tool interface of the technical report of May 31, 2016 (appendix A), for tools
 * of that generation.
 *
 * Names, numbers and signatures are the report's; ompt_2016_records.h has the records of device
 * traces (A.6). Where the report contradicts itself, this file chooses:
 *   - parallel and task data come through `**` (5.4, 5.5), not `*` (A.5);
 *   - a buffer's request names the device (6.3, not A.4);
 *   - its second ompt_task_target, of ompt_target_type_t, would not compile beside the first, and
 *     is ompt_target_type_target here.
 * The report does not name the pointer types of the entry points; this file does.
 *
 * The bridge uses only the two lists.
 */
#ifndef OPARI_OMPT_2016_H
#define OPARI_OMPT_2016_H

/* A.2: number, name. */
#define FOREACH_OMPT_2016_EVENT(X) \
    X(1, thread_begin) \
    X(2, thread_end) \
    X(3, parallel_begin) \
    X(4, parallel_end) \
    X(5, task_create) \
    X(6, task_schedule) \
    X(7, implicit_task) \
    X(8, target) \
    X(9, target_data) \
    X(10, target_submit) \
    X(11, control) \
    X(12, runtime_shutdown) \
    X(13, idle) \
    X(14, sync_region_wait) \
    X(15, mutex_release) \
    X(16, task_dependences) \
    X(17, task_dependence_pair) \
    X(18, worksharing) \
    X(19, master) \
    X(20, target_data_map) \
    X(21, sync_region) \
    X(22, init_lock) \
    X(23, destroy_lock) \
    X(24, mutex_acquire) \
    X(25, mutex_acquired) \
    X(26, nested_lock) \
    X(27, flush)

/* A.1: number, name. */
#define FOREACH_OMPT_2016_STATE(X) \
    X(0x00, idle) \
    X(0x10, work_serial) \
    X(0x11, work_parallel) \
    X(0x12, work_reduction) \
    X(0x20, overhead) \
    X(0x40, wait_barrier) \
    X(0x41, wait_barrier_implicit) \
    X(0x42, wait_barrier_explicit) \
    X(0x50, wait_taskwait) \
    X(0x51, wait_taskgroup) \
    X(0x60, wait_mutex) \
    X(0x61, wait_lock) \
    X(0x62, wait_critical) \
    X(0x63, wait_atomic) \
    X(0x64, wait_ordered) \
    X(0x70, wait_target) \
    X(0x71, wait_target_data) \
    X(0x72, wait_target_update) \
    X(0x80, undefined)

#ifndef OMPT_LISTS_ALONE /* only the lists above */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OMPT_X(number, name) ompt_event_##name = number,
typedef enum ompt_event_e { FOREACH_OMPT_2016_EVENT(OMPT_X) ompt_event_none_2016 = 0 } ompt_event_t;
#undef OMPT_X
#define OMPT_X(number, name) omp_state_##name = number,
typedef enum omp_state_e {
    FOREACH_OMPT_2016_STATE(OMPT_X) omp_state_none_2016 = 0x7fff
} omp_state_t;
#undef OMPT_X

typedef uint64_t ompt_id_t;
typedef union ompt_data_u {
    ompt_id_t value;
    void *ptr;
} ompt_data_t;
typedef ompt_data_t ompt_thread_data_t, ompt_task_data_t, ompt_parallel_data_t, ompt_target_data_t;
typedef uint64_t ompt_wait_id_t;
typedef uint64_t ompt_target_id_t;
typedef void ompt_target_device_t;
typedef uint64_t ompt_target_time_t;
typedef void ompt_target_buffer_t;
typedef uint64_t ompt_target_buffer_cursor_t;

typedef enum ompt_thread_type_e {
    ompt_thread_initial = 1,
    ompt_thread_worker = 2,
    ompt_thread_other = 3,
    ompt_thread_unknown = 4
} ompt_thread_type_t;

typedef enum ompt_scope_endpoint_e {
    ompt_scope_begin = 1,
    ompt_scope_end = 2
} ompt_scope_endpoint_t;

typedef enum ompt_sync_region_kind_e {
    ompt_sync_region_barrier = 1,
    ompt_sync_region_taskwait = 2,
    ompt_sync_region_taskgroup = 3
} ompt_sync_region_kind_t;

typedef enum ompt_target_data_op_e {
    ompt_target_data_alloc = 1,
    ompt_target_data_transfer_to_dev = 2,
    ompt_target_data_transfer_from_dev = 3,
    ompt_target_data_delete = 4
} ompt_target_data_op_t;

typedef enum ompt_worksharing_type_e {
    ompt_worksharing_loop = 1,
    ompt_worksharing_sections = 2,
    ompt_worksharing_single_executor = 3,
    ompt_worksharing_single_other = 4,
    ompt_worksharing_workshare = 5,
    ompt_worksharing_distribute = 6
} ompt_worksharing_type_t;

typedef enum ompt_mutex_kind_e {
    ompt_mutex = 0x10,
    ompt_mutex_lock = 0x11,
    ompt_mutex_nest_lock = 0x12,
    ompt_mutex_critical = 0x13,
    ompt_mutex_atomic = 0x14,
    ompt_mutex_ordered = 0x20
} ompt_mutex_kind_t;

typedef enum ompt_task_type_e {
    ompt_task_initial = 1,
    ompt_task_implicit = 2,
    ompt_task_explicit = 3,
    ompt_task_target = 4,
    ompt_task_degenerate = 5
} ompt_task_type_t;

typedef enum ompt_target_type_e {
    ompt_target_type_target = 1,
    ompt_task_target_enter_data = 2,
    ompt_task_target_exit_data = 3,
    ompt_task_target_update = 4
} ompt_target_type_t;

typedef enum ompt_target_map_flag_e {
    ompt_target_map_flag_to = 1,
    ompt_target_map_flag_from = 2,
    ompt_target_map_flag_alloc = 4,
    ompt_target_map_flag_release = 8,
    ompt_target_map_flag_delete = 16
} ompt_target_map_flag_t;

typedef enum ompt_native_mon_flags_e {
    ompt_native_data_motion_explicit = 1,
    ompt_native_data_motion_implicit = 2,
    ompt_native_kernel_invocation = 4,
    ompt_native_kernel_execution = 8,
    ompt_native_driver = 16,
    ompt_native_runtime = 32,
    ompt_native_overhead = 64,
    ompt_native_idleness = 128
} ompt_native_mon_flags_t;

typedef enum ompt_invoker_e { ompt_invoker_program = 1, ompt_invoker_runtime = 2 } ompt_invoker_t;

typedef enum ompt_task_dependence_flag_e {
    ompt_task_dependence_type_out = 1,
    ompt_task_dependence_type_in = 2,
    ompt_task_dependence_type_inout = 3
} ompt_task_dependence_flag_t;

typedef struct ompt_task_dependence_s {
    void *variable_addr;
    uint32_t dependence_flags;
} ompt_task_dependence_t;

typedef struct ompt_frame_s {
    void *exit_frame;
    void *enter_frame;
} ompt_frame_t;

#define OMPT_API
#define OMPT_TARG_API
#define ompt_hwid_none (-1)
#define ompt_dev_task_none (~0ULL)
#define ompt_time_none (~0ULL)
/* clang-format off: initializers, as in the report. */
#define ompt_thread_data_none {.value = 0}
#define ompt_parallel_data_none {.value = 0}
#define ompt_task_data_none {.value = 0}
/* clang-format on */
#define ompt_target_id_none 0
#define ompt_mutex_kind_unknown 0
#define omp_hint_unknown 0 /* 3.2.2 names it, without a number */

/* A.4 */
typedef void (*ompt_callback_t)(void);
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *entry_point);
typedef void (*ompt_thread_begin_callback_t)(ompt_thread_type_t thread_type,
                                             ompt_thread_data_t *thread_data);
typedef void (*ompt_thread_end_callback_t)(ompt_thread_data_t *thread_data);
typedef void (*ompt_idle_callback_t)(ompt_scope_endpoint_t endpoint);
typedef void (*ompt_parallel_begin_callback_t)(ompt_task_data_t *parent_task_data,
                                               const ompt_frame_t *parent_frame,
                                               ompt_parallel_data_t *parallel_data,
                                               uint32_t requested_team_size, ompt_invoker_t invoker,
                                               const void *codeptr_ra);
typedef void (*ompt_parallel_end_callback_t)(ompt_parallel_data_t *parallel_data,
                                             ompt_task_data_t *task_data, ompt_invoker_t invoker,
                                             const void *codeptr_ra);
typedef void (*ompt_task_create_callback_t)(ompt_task_data_t *parent_task_data,
                                            const ompt_frame_t *parent_frame,
                                            ompt_task_data_t *new_task_data, ompt_task_type_t type,
                                            const void *codeptr_ra);
typedef void (*ompt_task_dependences_callback_t)(ompt_task_data_t *task_data,
                                                 const ompt_task_dependence_t *deps, int ndeps);
typedef void (*ompt_task_dependence_callback_t)(ompt_task_data_t *src_task_data,
                                                ompt_task_data_t *sink_task_data);
typedef void (*ompt_task_schedule_callback_t)(ompt_task_data_t *prior_task_data,
                                              _Bool prior_completed,
                                              ompt_task_data_t *next_task_data);
typedef void (*ompt_scoped_implicit_callback_t)(ompt_scope_endpoint_t endpoint,
                                                ompt_parallel_data_t *parallel_data,
                                                ompt_task_data_t *task_data);
typedef void (*ompt_scoped_sync_region_callback_t)(ompt_sync_region_kind_t kind,
                                                   ompt_scope_endpoint_t endpoint,
                                                   ompt_parallel_data_t *parallel_data,
                                                   ompt_task_data_t *task_data,
                                                   const void *codeptr_ra);
typedef void (*ompt_lock_init_callback_t)(_Bool is_nest_lock, ompt_wait_id_t wait_id, uint32_t hint,
                                          uint32_t kind, const void *codeptr_ra);
typedef void (*ompt_lock_destroy_callback_t)(_Bool is_nest_lock, ompt_wait_id_t wait_id,
                                             const void *codeptr_ra);
typedef void (*ompt_mutex_acquire_callback_t)(ompt_mutex_kind_t kind, uint32_t hint, uint32_t impl,
                                              ompt_wait_id_t wait_id, const void *codeptr_ra);
typedef void (*ompt_mutex_callback_t)(ompt_mutex_kind_t kind, ompt_wait_id_t wait_id,
                                      const void *codeptr_ra);
typedef void (*ompt_scoped_nested_lock_callback_t)(ompt_scope_endpoint_t endpoint,
                                                   ompt_wait_id_t wait_id, const void *codeptr_ra);
typedef void (*ompt_scoped_master_callback_t)(ompt_scope_endpoint_t endpoint,
                                              ompt_parallel_data_t *parallel_data,
                                              ompt_task_data_t *task_data, const void *codeptr_ra);
typedef void (*ompt_scoped_worksharing_callback_t)(ompt_worksharing_type_t wstype,
                                                   ompt_scope_endpoint_t endpoint,
                                                   ompt_parallel_data_t *parallel_data,
                                                   ompt_task_data_t *task_data,
                                                   const void *codeptr_ra);
typedef void (*ompt_control_callback_t)(uint64_t command, uint64_t modifier,
                                        const void *codeptr_ra);
typedef void (*ompt_flush_callback_t)(ompt_thread_data_t *thread_data, const void *codeptr_ra);
typedef void (*ompt_scoped_target_callback_t)(int32_t device_id, ompt_target_type_t kind,
                                              ompt_task_data_t *task_data,
                                              ompt_scope_endpoint_t endpoint,
                                              ompt_target_id_t target_id, const void *codeptr_ra);
typedef void (*ompt_target_data_callback_t)(ompt_target_id_t target_id, ompt_target_id_t host_op_id,
                                            ompt_target_data_op_t optype, void *host_addr,
                                            void *device_addr, size_t bytes);
typedef void (*ompt_target_data_map_callback_t)(ompt_target_id_t target_id, uint32_t nitems,
                                                void **host_addr, void **device_addr, size_t *bytes,
                                                uint32_t *mapping_flags);
typedef void (*ompt_target_submit_callback_t)(ompt_target_id_t target_id,
                                              ompt_target_id_t host_op_id,
                                              uint32_t requested_num_teams,
                                              uint32_t granted_num_teams);
typedef void (*ompt_target_buffer_request_callback_t)(int32_t device_id,
                                                      ompt_target_buffer_t **buffer, size_t *bytes);
typedef void (*ompt_target_buffer_complete_callback_t)(int32_t device_id,
                                                       const ompt_target_buffer_t *buffer,
                                                       size_t bytes,
                                                       ompt_target_buffer_cursor_t begin);
typedef void (*ompt_get_target_info_inquiry_t)(ompt_target_id_t *target_id,
                                               ompt_target_id_t *host_op_id);

#include "ompt_2016_records.h"

/* Sections 5.7 and 6: what a device's lookup finds. */
typedef ompt_target_time_t (*ompt_target_get_time_t)(ompt_target_device_t *device);
typedef double (*ompt_target_translate_time_t)(ompt_target_device_t *device,
                                               ompt_target_time_t time);
typedef int (*ompt_target_set_trace_ompt_t)(ompt_target_device_t *device, _Bool enable,
                                            uint32_t rtype);
typedef int (*ompt_target_set_trace_native_t)(ompt_target_device_t *device, _Bool enable,
                                              uint32_t flags);
typedef _Bool (*ompt_target_start_trace_t)(ompt_target_device_t *device,
                                           ompt_target_buffer_request_callback_t request,
                                           ompt_target_buffer_complete_callback_t complete,
                                           ompt_get_target_info_inquiry_t get_info);
typedef _Bool (*ompt_target_pause_trace_t)(ompt_target_device_t *device, _Bool begin_pause);
typedef _Bool (*ompt_target_stop_trace_t)(ompt_target_device_t *device);
typedef _Bool (*ompt_target_advance_buffer_cursor_t)(ompt_target_buffer_t *buffer, size_t size,
                                                     ompt_target_buffer_cursor_t current,
                                                     ompt_target_buffer_cursor_t *next);
typedef ompt_record_type_t (*ompt_target_buffer_get_record_type_t)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
typedef ompt_record_ompt_t *(*ompt_target_buffer_get_record_ompt_t)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
typedef void *(*ompt_target_buffer_get_record_native_t)(ompt_target_buffer_t *buffer,
                                                        ompt_target_buffer_cursor_t current,
                                                        ompt_target_id_t *host_op_id);
typedef ompt_record_native_abstract_t *(*ompt_target_buffer_get_record_native_abstract_t)(
    void *native_record);

/* A.5 */
typedef int (*ompt_set_callback_t)(ompt_event_t event, ompt_callback_t callback);
typedef int (*ompt_get_callback_t)(ompt_event_t event, ompt_callback_t *callback);
typedef _Bool (*ompt_enumerate_states_t)(omp_state_t current_state, omp_state_t *next_state,
                                         const char **next_state_name);
typedef _Bool (*ompt_enumerate_mutex_kinds_t)(uint32_t current_kind, uint32_t *next_kind,
                                              const char **next_kind_name);
typedef ompt_thread_data_t *(*ompt_get_thread_data_t)(void);
typedef omp_state_t (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
typedef _Bool (*ompt_get_parallel_info_t)(int ancestor_level, ompt_parallel_data_t **parallel_data,
                                          int *team_size);
typedef _Bool (*ompt_get_task_info_t)(int ancestor_level, ompt_task_type_t *type,
                                      ompt_task_data_t **task_data, ompt_frame_t **task_frame,
                                      ompt_parallel_data_t **par_data);
typedef _Bool (*ompt_get_target_info_t)(ompt_target_id_t *target_id, ompt_target_id_t *host_op_id);
typedef int (*ompt_get_num_devices_t)(void);
typedef _Bool (*ompt_target_get_device_info_t)(int32_t device_id, const char **type,
                                               ompt_target_device_t **device,
                                               ompt_function_lookup_t *lookup,
                                               const char **documentation);
typedef int (*ompt_target_get_device_id_t)(void);

/* A.7: what a tool defines. */
typedef void (*ompt_initialize_fn_t)(ompt_function_lookup_t lookup, const char *runtime_version,
                                     unsigned int ompt_version);
extern ompt_initialize_fn_t ompt_tool(void);

#ifdef __cplusplus
}
#endif

#endif
#endif
