/* ompt_2013.h: the first tool interface, for tools of that generation: the paper of May 2013 in the
 * form that runtimes gave it.
 *
 * The paper leaves the numbers and the signatures of the callbacks to its technical report. Those
 * here are from the runtimes of 2014 and 2015, which identify threads, regions and tasks by numbers
 * and pass a lookup to ompt_initialize. The paper's functions are also global symbols, for a tool
 * in the program.
 *
 * The bridge uses only the two lists.
 */
#ifndef OPARI_OMPT_2013_H
#define OPARI_OMPT_2013_H

/* Number, name. */
#define FOREACH_OMPT_2013_EVENT(X) \
    X(1, parallel_begin) \
    X(2, parallel_end) \
    X(3, task_begin) \
    X(4, task_end) \
    X(5, thread_begin) \
    X(6, thread_end) \
    X(7, control) \
    X(8, runtime_shutdown) \
    X(9, idle_begin) \
    X(10, idle_end) \
    X(11, wait_barrier_begin) \
    X(12, wait_barrier_end) \
    X(13, wait_taskwait_begin) \
    X(14, wait_taskwait_end) \
    X(15, wait_taskgroup_begin) \
    X(16, wait_taskgroup_end) \
    X(17, release_lock) \
    X(18, release_nest_lock_last) \
    X(19, release_critical) \
    X(20, release_atomic) \
    X(21, release_ordered) \
    X(22, implicit_task_begin) \
    X(23, implicit_task_end) \
    X(24, initial_task_begin) \
    X(25, initial_task_end) \
    X(26, task_switch) \
    X(27, loop_begin) \
    X(28, loop_end) \
    X(29, sections_begin) \
    X(30, sections_end) \
    X(31, single_in_block_begin) \
    X(32, single_in_block_end) \
    X(33, single_others_begin) \
    X(34, single_others_end) \
    X(35, workshare_begin) \
    X(36, workshare_end) \
    X(37, master_begin) \
    X(38, master_end) \
    X(39, barrier_begin) \
    X(40, barrier_end) \
    X(41, taskwait_begin) \
    X(42, taskwait_end) \
    X(43, taskgroup_begin) \
    X(44, taskgroup_end) \
    X(45, release_nest_lock_prev) \
    X(46, wait_lock) \
    X(47, wait_nest_lock) \
    X(48, wait_critical) \
    X(49, wait_atomic) \
    X(50, wait_ordered) \
    X(51, acquired_lock) \
    X(52, acquired_nest_lock_first) \
    X(53, acquired_nest_lock_next) \
    X(54, acquired_critical) \
    X(55, acquired_atomic) \
    X(56, acquired_ordered) \
    X(57, init_lock) \
    X(58, init_nest_lock) \
    X(59, destroy_lock) \
    X(60, destroy_nest_lock) \
    X(61, flush)

/* Number, name. last ends the paper's loop over the states; no runtime's number for it is known. */
#define FOREACH_OMPT_2013_STATE(X) \
    X(0x00, work_serial) \
    X(0x01, work_parallel) \
    X(0x02, work_reduction) \
    X(0x10, idle) \
    X(0x20, overhead) \
    X(0x40, wait_barrier) \
    X(0x41, wait_barrier_implicit) \
    X(0x42, wait_barrier_explicit) \
    X(0x50, wait_taskwait) \
    X(0x51, wait_taskgroup) \
    X(0x60, wait_lock) \
    X(0x61, wait_nest_lock) \
    X(0x62, wait_critical) \
    X(0x63, wait_atomic) \
    X(0x64, wait_ordered) \
    X(0x70, undefined) \
    X(0x71, first) \
    X(0x72, last)

#ifndef OMPT_LISTS_ALONE /* only the lists above */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OMPT_X(number, name) ompt_event_##name = number,
typedef enum { FOREACH_OMPT_2013_EVENT(OMPT_X) ompt_event_none_2013 = 0 } ompt_event_t;
#undef OMPT_X
#define OMPT_X(number, name) ompt_state_##name = number,
typedef enum { FOREACH_OMPT_2013_STATE(OMPT_X) ompt_state_none_2013 = 0x7fff } ompt_state_t;
#undef OMPT_X

typedef uint64_t ompt_thread_id_t, ompt_parallel_id_t, ompt_task_id_t, ompt_wait_id_t;

typedef union ompt_data_u {
    uint64_t value;
    void *ptr;
} ompt_data_t;

typedef struct ompt_frame_s {
    void *exit_runtime_frame;
    void *reenter_runtime_frame;
} ompt_frame_t;

typedef enum {
    ompt_thread_initial = 1,
    ompt_thread_worker = 2,
    ompt_thread_other = 3
} ompt_thread_type_t;

typedef void (*ompt_callback_t)(void);
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *entry_point);

/* Callbacks: threads; idle_begin, idle_end. */
typedef void (*ompt_thread_type_callback_t)(ompt_thread_type_t thread_type,
                                            ompt_thread_id_t thread_id);
typedef void (*ompt_thread_callback_t)(ompt_thread_id_t thread_id);
/* parallel_begin; parallel_end and all other pairs inside regions. */
typedef void (*ompt_new_parallel_callback_t)(ompt_task_id_t parent_task_id,
                                             ompt_frame_t *parent_task_frame,
                                             ompt_parallel_id_t parallel_id,
                                             uint32_t requested_team_size, void *parallel_function);
typedef void (*ompt_parallel_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id);
/* loop_begin, sections_begin, single_in_block_begin, workshare_begin. */
typedef void (*ompt_new_workshare_callback_t)(ompt_parallel_id_t parallel_id,
                                              ompt_task_id_t task_id, void *workshare_function);
/* task_begin; task_end; task_switch. */
typedef void (*ompt_new_task_callback_t)(ompt_task_id_t parent_task_id,
                                         ompt_frame_t *parent_task_frame,
                                         ompt_task_id_t new_task_id, void *task_function);
typedef void (*ompt_task_callback_t)(ompt_task_id_t task_id);
typedef void (*ompt_task_switch_callback_t)(ompt_task_id_t suspended_task_id,
                                            ompt_task_id_t resumed_task_id);
/* locks, critical, ordered. runtime_shutdown and flush: ompt_callback_t. */
typedef void (*ompt_wait_callback_t)(ompt_wait_id_t wait_id);
typedef void (*ompt_control_callback_t)(uint64_t command, uint64_t modifier);

/* Entry points. */
typedef int (*ompt_set_callback_t)(ompt_event_t event, ompt_callback_t callback);
typedef int (*ompt_get_callback_t)(ompt_event_t event, ompt_callback_t *callback);
typedef int (*ompt_enumerate_state_t)(int current_state, int *next_state,
                                      const char **next_state_name);
typedef ompt_state_t (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
typedef ompt_thread_id_t (*ompt_get_thread_id_t)(void);
typedef ompt_data_t *(*ompt_get_thread_data_t)(void);
typedef ompt_parallel_id_t (*ompt_get_parallel_id_t)(int ancestor_level);
typedef int (*ompt_get_parallel_team_size_t)(int ancestor_level);
typedef void *(*ompt_get_parallel_function_t)(int ancestor_level);
typedef ompt_task_id_t (*ompt_get_task_id_t)(int ancestor_level);
typedef ompt_data_t *(*ompt_get_task_data_t)(int ancestor_level);
typedef ompt_frame_t *(*ompt_get_task_frame_t)(int ancestor_level);
typedef void *(*ompt_get_task_function_t)(int ancestor_level);
typedef void *(*ompt_get_idle_frame_t)(void);
typedef int (*ompt_get_ompt_version_t)(void);
typedef int (*ompt_get_runtime_version_t)(char *buffer, int length);

/* The paper's global symbols. The tool defines ompt_initialize, which may take no arguments (2013)
 * or these (2014), and returns 1. */
extern int ompt_set_callback(ompt_event_t event, ompt_callback_t callback);
extern int ompt_get_callback(ompt_event_t event, ompt_callback_t *callback);
extern int ompt_enumerate_state(int current_state, int *next_state, const char **next_state_name);
extern ompt_state_t ompt_get_state(ompt_wait_id_t *wait_id);
extern ompt_data_t *ompt_get_thread_data(void);
extern ompt_parallel_id_t ompt_get_parallel_id(int ancestor_level);
extern void *ompt_get_parallel_function(int ancestor_level);
extern ompt_data_t *ompt_get_task_data(int ancestor_level);
extern ompt_frame_t *ompt_get_task_frame(int ancestor_level);
extern void *ompt_get_task_function(int ancestor_level);
extern int ompt_get_ompt_version(void);
extern int ompt_get_runtime_version(char *buffer, int length);
extern void ompt_control(uint64_t command, uint64_t modifier);

#ifdef __cplusplus
}
#endif

#endif
#endif
