/* probe.c: a tool that notes its life in the file PROBE_LOG, one line per step, with the process's first letter: p parent, c child.
 * RESULT: 0 ompt_start_tool returns null; 1 initialize declines; 2 it stays. With NAMESAKE its initializer is visible, as those of several
 * tools are, under the name that in OMPT of 2013 was the whole entry.
 */
#define _GNU_SOURCE 1
#include "../../ompt_bridge/src/omp_tools.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RESULT
#define RESULT 2
#endif

static void note(const char *what, int number)
{
    static pid_t first;
    const char *file = getenv("PROBE_LOG");
    char line[100];
    if (first == 0)
        first = getpid();
    int n = snprintf(line, sizeof line, number < 0 ? "%c %s\n" : "%c %s %d\n", first == getpid() ? 'p' : 'c', what, number);
    int f = file != NULL ? open(file, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (f < 0 || write(f, line, (size_t)n) != n)
        abort();
    close(f);
}

static int begun, ended;
static void on_thread_begin(ompt_thread_t type, ompt_data_t *d)
{
    (void)d;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    if (type == ompt_thread_initial)
        note("initial thread", -1);
}
static void on_thread_end(ompt_data_t *d)
{
    (void)d;
    __atomic_add_fetch(&ended, 1, __ATOMIC_RELAXED);
}
static int on_control(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    (void)arg;
    note(ra != NULL ? "control" : "control without an address", (int)(command * 10 + modifier));
    return 17;
}

#ifdef NAMESAKE
#define initialize ompt_initialize
int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data);
#else
static
#endif
int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    static const char *const names[] = {
        "ompt_enumerate_states", "ompt_enumerate_mutex_impls", "ompt_set_callback", "ompt_get_callback", "ompt_get_state",
        "ompt_get_parallel_info", "ompt_get_task_info", "ompt_get_task_memory", "ompt_get_thread_data", "ompt_get_unique_id",
        "ompt_finalize_tool", "ompt_get_num_procs", "ompt_get_num_places", "ompt_get_place_proc_ids", "ompt_get_place_num",
        "ompt_get_partition_place_nums", "ompt_get_proc_id", "ompt_get_target_info", "ompt_get_num_devices"};
    int missing = 0, never = 0, states = 0, s = ompt_state_undefined;
    const char *name;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        missing += lookup(names[i]) == NULL;
    note("entry points missing", missing + (lookup("ompt_no_such_thing") != NULL));
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    for (int e = ompt_callback_thread_begin; e <= ompt_callback_error; e++)
        never += set((ompt_callbacks_t)e, NULL) <= ompt_set_impossible;
    note("events refused", never);
    ompt_enumerate_states_t next = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    while (next(s, &s, &name))
        states += strncmp(name, "ompt_state_", 11) == 0;
    note(states > 10 ? "states" : "few states", -1);
    if (RESULT == 1 || device != 0)
        return 0;
    begun = ended = 0;
    data->value = 4711;
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
    set(ompt_callback_control_tool, (ompt_callback_t)on_control);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    note(data->value == 4711 ? "finalize" : "finalize without its data", -1);
    note("threads begun", begun);
    note("threads not ended", begun - ended);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    note(runtime != NULL ? "start" : "start of nothing", (int)version);
    return RESULT ? &result : NULL;
}
