/* sampled_older.c: what sampled.c does, as a tool of an older generation: OLDER is 2016 or 2013. */
#define _GNU_SOURCE 1
#if OLDER == 2016
#include "ompt_2016.h"
#else
#include "ompt_2013.h"
#endif
#include <stdio.h>

#include "sampled_work.h"

static int samples, faults, deepest, known[0x100];

static void fault(int is)
{
    if (is)
        __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
}

static void stop(void)
{
    stop_sampling();
    printf("%s, %s, %s\n", samples > 20 ? "samples" : "few samples", deepest > 3 ? "deep" : "shallow", faults ? "FAULTS" : "no faults");
}

#if OLDER == 2016

static ompt_get_state_t get_state;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_target_info_t get_target_info;

static void sample(int signal)
{
    ompt_wait_id_t wait_id = 0;
    omp_state_t state = get_state(&wait_id);
    int level = 0, regions = 0, size = -1;
    ompt_parallel_data_t *region = NULL;
    (void)signal;
    __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
    if (get_thread_data() == NULL) {
        fault(state != omp_state_undefined);
        return;
    }
    fault((int)state < 0 || (int)state >= 0x100 || !known[state]);
    for (; get_parallel_info(regions, &region, &size); regions++, size = -1)
        fault(region == NULL || size < 0 || regions > 100);
    fault(region != NULL);
    for (;; level++) {
        ompt_task_type_t type = 0;
        ompt_task_data_t *task = NULL;
        ompt_parallel_data_t *around = NULL;
        ompt_frame_t *frame = NULL;
        if (!get_task_info(level, &type, &task, &frame, &around))
            break;
        fault(type < ompt_task_initial || type > ompt_task_explicit || task == NULL || frame == NULL || level > 100);
        fault((type == ompt_task_implicit && around == NULL) || (type == ompt_task_initial && around != NULL));
    }
    fault(level < regions || get_target_info(NULL, NULL));
    if (level > deepest)
        deepest = level;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    omp_state_t s = omp_state_undefined;
    const char *name;
    (void)runtime, (void)version;
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
    while (((ompt_enumerate_states_t)lookup("ompt_enumerate_states"))(s, &s, &name))
        known[s] = 1;
    ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_event_runtime_shutdown, stop);
    start_sampling(sample);
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

#else

/* By the paper's global symbols. */
static void sample(int signal)
{
    ompt_wait_id_t wait_id = 0;
    ompt_state_t state = ompt_get_state(&wait_id);
    int level = 0, regions = 0;
    (void)signal;
    __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
    if (ompt_get_thread_data() == NULL) {
        fault(state != ompt_state_undefined);
        return;
    }
    fault((int)state < 0 || (int)state >= 0x100 || !known[state]);
    while (ompt_get_parallel_id(regions) != 0) {
        (void)ompt_get_parallel_function(regions);
        fault(++regions > 100);
    }
    while (ompt_get_task_data(level) != NULL) {
        fault(ompt_get_task_frame(level) == NULL);
        (void)ompt_get_task_function(level);
        fault(++level > 100);
    }
    fault(ompt_get_task_frame(level) != NULL || level < regions);
    if (level > deepest)
        deepest = level;
}

extern int ompt_initialize(void);
int ompt_initialize(void)
{
    const char *name;
    int s;
    for (int ok = ompt_enumerate_state(ompt_state_first, &s, &name); ok && s != ompt_state_last; ompt_enumerate_state(s, &s, &name))
        known[s] = 1;
    ompt_set_callback(ompt_event_runtime_shutdown, stop);
    start_sampling(sample);
    return 1;
}

#endif
