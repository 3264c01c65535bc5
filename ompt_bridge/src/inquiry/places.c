/* places.c: inquiry functions about states, processors and places. They are async-signal-safe: the
 * runtime's functions that they call only read the runtime's variables. */
#include "../core/bridge.h"

#include <sched.h>

extern int omp_get_num_places(void) __attribute__((weak));
extern int omp_get_place_num_procs(int place_num) __attribute__((weak));
extern void omp_get_place_proc_ids(int place_num, int *ids) __attribute__((weak));
extern int omp_get_place_num(void) __attribute__((weak));
extern int omp_get_partition_num_places(void) __attribute__((weak));
extern void omp_get_partition_place_nums(int *place_nums) __attribute__((weak));

struct opari_named {
    int value;
    const char *name;
};

/* Returns the element after current. The value first stands before the first element; it need not
 * be in the list. */
static int opari_enumerate(const struct opari_named *list, int n, int first, int current, int *next,
                           const char **name)
{
    int i = 0;
    if (current != first)
        while (i < n && list[i++].value != current)
            ;
    if (i >= n)
        return 0;
    *next = list[i].value;
    *name = list[i].name;
    return 1;
}

static int opari_enumerate_states(int current, int *next, const char **name)
{
#define OPARI_STATE(s) {ompt_state_##s, "ompt_state_" #s}
    static const struct opari_named states[] = {
        OPARI_STATE(work_serial),
        OPARI_STATE(work_parallel),
        OPARI_STATE(work_reduction),
        OPARI_STATE(wait_barrier_implicit_parallel),
        OPARI_STATE(wait_barrier_implicit_workshare),
        OPARI_STATE(wait_barrier_explicit),
        OPARI_STATE(wait_barrier_implementation),
        OPARI_STATE(wait_barrier_teams),
        OPARI_STATE(wait_taskwait),
        OPARI_STATE(wait_taskgroup),
        OPARI_STATE(wait_lock),
        OPARI_STATE(wait_critical),
        OPARI_STATE(wait_atomic),
        OPARI_STATE(wait_ordered),
        OPARI_STATE(wait_target),
        OPARI_STATE(wait_target_map),
        OPARI_STATE(wait_target_update),
        OPARI_STATE(idle),
        OPARI_STATE(overhead),
    };
#undef OPARI_STATE
    return opari_enumerate(states, (int)(sizeof states / sizeof states[0]), ompt_state_undefined,
                           current, next, name);
}

static int opari_enumerate_mutex_impls(int current, int *next, const char **name)
{
    static const struct opari_named impls[] = {{OPARI_IMPL_TURN, "turn"},
                                               {OPARI_IMPL_MUTEX, "mutex of the runtime"}};
    return opari_enumerate(impls, (int)(sizeof impls / sizeof impls[0]), 0, current, next, name);
}

/* Like the other functions about the calling thread, this returns -1 on a thread that the runtime
 * does not know. */
static int opari_get_proc_id(void) { return opari_self != NULL ? sched_getcpu() : -1; }

static int opari_get_num_places(void)
{
    return omp_get_num_places != NULL ? omp_get_num_places() : 0;
}

static int opari_get_place_num(void)
{
    return opari_self != NULL && omp_get_place_num != NULL ? omp_get_place_num() : -1;
}

/* Both functions return the number of elements, and fill the array only if all of them fit. */
static int opari_get_place_proc_ids(int place, int size, int *ids)
{
    if (omp_get_place_num_procs == NULL || omp_get_place_proc_ids == NULL || place < 0 ||
        place >= opari_get_num_places())
        return 0;
    int n = omp_get_place_num_procs(place);
    if (n > 0 && n <= size)
        omp_get_place_proc_ids(place, ids);
    return n;
}

static int opari_get_partition_place_nums(int size, int *places)
{
    if (opari_self == NULL || omp_get_partition_num_places == NULL ||
        omp_get_partition_place_nums == NULL)
        return 0;
    int n = omp_get_partition_num_places();
    if (n > 0 && n <= size)
        omp_get_partition_place_nums(places);
    return n;
}

/* Only the runtime knows where a task keeps its data. */
static int opari_get_task_memory(void **address, size_t *size, int block)
{
    (void)block;
    *address = NULL;
    *size = 0;
    return 0;
}
