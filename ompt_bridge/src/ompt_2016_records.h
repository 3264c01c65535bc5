/* ompt_2016_records.h: the records of device traces (A.6). ompt_2016.h includes it.
 *
 * A device of this library makes records of target_data and target_submit, and native records. The
 * report's ompt_record_ompt_t names two types that it does not define.
 * ompt_record_target_data_map_t has the arguments of that callback here, and
 * ompt_record_init_lock_t is ompt_record_lock_init_t.
 */
#ifndef OPARI_OMPT_2016_RECORDS_H
#define OPARI_OMPT_2016_RECORDS_H

typedef enum ompt_record_type_e {
    ompt_record_ompt = 1,
    ompt_record_native = 2,
    ompt_record_invalid = 3
} ompt_record_type_t;
typedef enum ompt_record_native_class_e {
    ompt_record_native_class_info = 1,
    ompt_record_native_class_event = 2
} ompt_record_native_class_t;
typedef struct ompt_record_native_abstract_s {
    ompt_record_native_class_t rclass;
    const char *type;
    ompt_target_time_t start_time;
    ompt_target_time_t end_time;
    uint64_t hwid;
} ompt_record_native_abstract_t;

typedef struct ompt_record_thread_begin_s {
    ompt_thread_type_t thread_type;
} ompt_record_thread_begin_t;

typedef struct ompt_record_idle_s {
    ompt_scope_endpoint_t endpoint;
} ompt_record_idle_t;

typedef struct ompt_record_parallel_begin_s {
    ompt_task_data_t *parent_task_data;
    const ompt_frame_t *parent_frame;
    ompt_parallel_data_t *parallel_data;
    uint32_t requested_team_size;
    ompt_invoker_t invoker;
    const void *codeptr_ra;
} ompt_record_parallel_begin_t;

typedef struct ompt_record_parallel_end_s {
    ompt_parallel_data_t *parallel_data;
    ompt_task_data_t *task_data;
    ompt_invoker_t invoker;
    const void *codeptr_ra;
} ompt_record_parallel_end_t;

typedef struct ompt_record_task_create_s {
    ompt_task_data_t *parent_task_data;
    const ompt_frame_t *parent_frame;
    ompt_task_data_t *new_task_data;
    ompt_task_type_t type;
    const void *codeptr_ra;
} ompt_record_task_create_t;

typedef struct ompt_record_task_dependence_s {
    ompt_task_data_t *src_task_data;
    ompt_task_data_t *sink_task_data;
} ompt_record_task_dependence_t;

typedef struct ompt_record_task_schedule_s {
    ompt_task_data_t *prior_task_data;
    _Bool prior_completed;
    ompt_task_data_t *next_task_data;
} ompt_record_task_schedule_t;

typedef struct ompt_record_scoped_implicit_s {
    ompt_scope_endpoint_t endpoint;
    ompt_parallel_data_t *parallel_data;
    ompt_task_data_t *task_data;
} ompt_record_scoped_implicit_t;

typedef struct ompt_record_scoped_sync_region_s {
    ompt_sync_region_kind_t kind;
    ompt_scope_endpoint_t endpoint;
    ompt_parallel_data_t *parallel_data;
    ompt_task_data_t *task_data;
    const void *codeptr_ra;
} ompt_record_scoped_sync_region_t;

typedef struct ompt_record_lock_init_s {
    _Bool is_nest_lock;
    ompt_wait_id_t wait_id;
    uint32_t hint;
    uint32_t kind;
    const void *codeptr_ra;
} ompt_record_lock_init_t;

typedef ompt_record_lock_init_t ompt_record_init_lock_t;

typedef struct ompt_record_lock_destroy_s {
    _Bool is_nest_lock;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_lock_destroy_t;

typedef struct ompt_record_mutex_acquire_s {
    ompt_mutex_kind_t kind;
    uint32_t hint;
    uint32_t impl;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_mutex_acquire_t;

typedef struct ompt_record_mutex_s {
    ompt_mutex_kind_t kind;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_mutex_t;

typedef struct ompt_record_scoped_nested_lock_s {
    ompt_scope_endpoint_t endpoint;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_scoped_nested_lock_t;

typedef struct ompt_record_target_data_s {
    ompt_target_id_t host_op_id;
    ompt_target_data_op_t optype;
    void *host_addr;
    void *device_addr;
    size_t bytes;
    ompt_target_time_t end_time;
} ompt_record_target_data_t;

typedef struct ompt_record_target_data_map_s {
    uint32_t nitems;
    void **host_addr;
    void **device_addr;
    size_t *bytes;
    uint32_t *mapping_flags;
} ompt_record_target_data_map_t;

typedef struct ompt_record_target_kernel_s {
    ompt_target_id_t host_op_id;
    uint32_t granted_num_teams;
    ompt_target_time_t end_time;
} ompt_record_target_kernel_t;

typedef struct ompt_record_scoped_master_s {
    ompt_scope_endpoint_t endpoint;
    ompt_parallel_data_t *parallel_data;
    ompt_task_data_t *task_data;
    const void *codeptr_ra;
} ompt_record_scoped_master_t;

typedef struct ompt_record_scoped_worksharing_s {
    ompt_worksharing_type_t wstype;
    ompt_scope_endpoint_t endpoint;
    ompt_parallel_data_t *parallel_data;
    ompt_task_data_t *task_data;
    const void *codeptr_ra;
} ompt_record_scoped_worksharing_t;

typedef struct ompt_record_flush_s {
    void *codeptr_ra;
} ompt_record_flush_t;

typedef struct ompt_record_ompt_s {
    ompt_event_t type;
    ompt_target_time_t time;
    ompt_thread_data_t *thread_data;
    ompt_target_id_t target_id;
    union {
        ompt_record_thread_begin_t thread_begin;
        ompt_record_idle_t idle;
        ompt_record_parallel_begin_t parallel_begin;
        ompt_record_parallel_end_t parallel_end;
        ompt_record_task_create_t task_create;
        ompt_record_task_dependence_t task_dep;
        ompt_record_task_schedule_t task_sched;
        ompt_record_scoped_implicit_t implicit;
        ompt_record_scoped_sync_region_t sync_region;
        ompt_record_target_data_t data;
        ompt_record_target_data_map_t data_map;
        ompt_record_target_kernel_t kernel;
        ompt_record_init_lock_t lock_init;
        ompt_record_lock_destroy_t lock_destroy;
        ompt_record_mutex_acquire_t mutex_acquire;
        ompt_record_mutex_t mutex;
        ompt_record_scoped_nested_lock_t nested_lock;
        ompt_record_scoped_master_t master;
        ompt_record_scoped_worksharing_t worksharing;
        ompt_record_flush_t flush;
    } record;
} ompt_record_ompt_t;

#endif
