/* sampled.c: a tool in the program that asks everything it may ask from a SIGPROF handler, while regions nest, tasks run and threads wait.
 */
#define _GNU_SOURCE 1
#include <omp-tools.h>
#include <stdio.h>

#include "sampled_work.h"

static ompt_get_state_t get_state;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_place_num_t get_place_num;
static ompt_get_unique_id_t get_unique_id;
static ompt_enumerate_states_t enumerate_states;
static int samples, faults, deepest, known[0x200];

static void sample(int signal)
{
    ompt_wait_id_t wait_id = 0;
    ompt_data_t *thread = get_thread_data();
    int state = get_state(&wait_id), level = 0;
    (void)signal;
    __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
    if (thread == NULL) {
        if (state != ompt_state_undefined)
            faults++;
        return;
    }
    if (state < 0 || state >= 0x200 || !known[state])
        faults++;
    for (;; level++) {
        ompt_data_t *task = NULL, *parallel = NULL;
        ompt_frame_t *frame = NULL;
        int flags = 0, number = -1;
        if (get_task_info(level, &flags, &task, &frame, &parallel, &number) == 0)
            break;
        if (flags == 0 || task == NULL || parallel == NULL || frame == NULL || number < 0 || level > 100)
            __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
    }
    if (level > deepest)
        deepest = level;
    for (level = 0;; level++) {
        ompt_data_t *parallel = NULL;
        int size = -1;
        if (get_parallel_info(level, &parallel, &size) == 0)
            break;
        if (parallel == NULL || size < 0 || level > 100)
            __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
    }
    if (get_proc_id() < 0 || get_unique_id() == 0 || get_place_num() < -1)
        __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const char *name;
    (void)device, (void)data;
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_proc_id = (ompt_get_proc_id_t)lookup("ompt_get_proc_id");
    get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
    get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
    enumerate_states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    for (int s = ompt_state_undefined; enumerate_states(s, &s, &name);)
        known[s] = 1;
    start_sampling(sample);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    stop_sampling();
    printf("%s, %s, %s\n", samples > 20 ? "samples" : "few samples", deepest > 3 ? "deep" : "shallow", faults ? "FAULTS" : "no faults");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
