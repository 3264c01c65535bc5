/* sampler.c: a tool that interrupts the program a thousand times a second of its processor time and asks all that may be asked in a signal
 * handler. At its end it appends a line to the file OPARI_SAMPLES: how often it asked, how often within a region, how many answers
 * cannot be, and which: the bits of fault().
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "omp_tools.h"

#define ENTRIES(X)                                                                                                             \
    X(get_callback) X(get_thread_data) X(get_state) X(get_parallel_info) X(get_task_info) X(get_task_memory) X(get_num_procs)  \
    X(get_num_places) X(get_place_proc_ids) X(get_place_num) X(get_partition_place_nums) X(get_target_info) X(get_num_devices) \
    X(get_proc_id) X(get_unique_id)
#define X(name) static ompt_##name##_t name;
ENTRIES(X)
#undef X

enum { STATES = 0x400, MARK = 42, DEEPEST = 100000 };
static char known[STATES];
static long samples, inside, faults;
static unsigned which_faults;

/* which: a bit that holds the answer. */
static void fault(unsigned which, int is)
{
    if (is) {
        __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
        __atomic_or_fetch(&which_faults, which, __ATOMIC_RELAXED);
    }
}

static void ask_tasks(void)
{
    int level = 0, regions = 0;
    for (;; level++) {
        ompt_data_t *task = NULL, *parallel = NULL;
        ompt_frame_t *frame = NULL;
        int flags = 0, number = -1;
        if (get_task_info(level, &flags, &task, &frame, &parallel, &number) == 0)
            break;
        if (level == DEEPEST || flags == 0 || task == NULL || parallel == NULL || frame == NULL || number < 0) {
            fault(0x1, 1);
            break;
        }
    }
    for (;; regions++) {
        ompt_data_t *parallel = NULL;
        int size = -1;
        if (get_parallel_info(regions, &parallel, &size) == 0)
            break;
        if (regions == DEEPEST || parallel == NULL || size < 0) {
            fault(0x2, 1);
            break;
        }
    }
    fault(0x4, regions > level); /* a worker between two regions executes no task */
    if (regions > 1)
        __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
}

static void sample(int signal)
{
    int saved = errno, ids[8];
    uint64_t device;
    ompt_id_t target, operation;
    ompt_wait_id_t wait_id = 0;
    void *address;
    size_t size;
    ompt_callback_t callback;
    ompt_data_t *thread = get_thread_data();
    int state = get_state(&wait_id);
    (void)signal;
    __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
    if (thread == NULL) {
        fault(0x8, state != ompt_state_undefined);
    } else {
        fault(0x10, thread->value != 0 && thread->value != MARK);
        fault(0x20, state < 0 || state >= STATES || !known[state]);
        ask_tasks();
    }
    fault(0x40, get_num_procs() < 1 || get_unique_id() == 0 || get_place_num() < -1 || get_num_devices() < 0);
    fault(0x100, thread != NULL && get_proc_id() < 0); /* -1: of a thread that is not known */
    fault(0x80, get_num_places() < 0 || get_partition_place_nums(8, ids) < 0 || get_place_proc_ids(0, 8, ids) < 0);
    (void)get_target_info(&device, &target, &operation);
    (void)get_task_memory(&address, &size, 0);
    (void)get_callback(ompt_callback_thread_begin, &callback);
    errno = saved;
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    (void)type;
    data->value = MARK;
}

static void every(long microseconds)
{
    struct itimerval t = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_PROF, &t, NULL);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const char *name;
    struct sigaction act;
    ompt_enumerate_states_t enumerate = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
#define X(name)                                                                                                                \
    if ((name = (ompt_##name##_t)lookup("ompt_" #name)) == NULL)                                                               \
        return 0;
    ENTRIES(X)
#undef X
    for (int s = ompt_state_undefined; enumerate(s, &s, &name);)
        if (s >= 0 && s < STATES)
            known[s] = 1;
    set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
    memset(&act, 0, sizeof act);
    act.sa_handler = sample;
    act.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &act, NULL);
    every(1000);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    char line[100];
    (void)data;
    every(0);
    signal(SIGPROF, SIG_IGN);
    int n = snprintf(line, sizeof line, "%ld %ld %ld %#x\n", samples, inside, faults, which_faults);
    int fd = open(getenv("OPARI_SAMPLES"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0) {
        if (write(fd, line, (size_t)n) != n)
            _exit(70);
        close(fd);
    }
}

extern ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
