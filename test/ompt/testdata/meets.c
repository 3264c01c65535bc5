/* meets.c: a tool in the program observes when threads arrive at the end of parallel regions and are let go. Usage: meets THREADS. Workers are let go when all have
 * arrived, and get that event without another region to come; where a region that has made no task so far makes one, they execute it.
 */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int size, due, arrived, ended, early, faults; /* of the team; threads of all regions so far */
static int behind; /* workers may still have to report the end of the region before */

static void expect(int holds, const char *what, int round)
{
    if (!holds && faults++ == 0)
        printf("%s, round %d: %d have arrived, %d have ended\n", what, round, arrived, ended);
}

static int now(int *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static void add(int *word) { (void)__atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST); }

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel, (void)task, (void)ra;
    if (kind != ompt_sync_region_barrier_implicit_parallel)
        return;
    if (at == ompt_scope_begin)
        add(&arrived);
    else if (now(&arrived) < due && !behind)
        add(&early);
}

static void on_implicit(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned threads, unsigned index, int flags)
{
    (void)parallel, (void)task, (void)threads, (void)index;
    if (at == ompt_scope_end && (flags & (int)ompt_task_implicit) != 0)
        add(&ended);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

/* Waits until a word has a value, half a minute at most. */
static int becomes(int *word, int value)
{
    for (int i = 0; i < 30000 && now(word) != value; i++)
        (void)usleep(1000);
    return now(word) == value;
}

enum { NOTHING, LATE_FIRST, LATE_LAST, TASK, TASKLOOP };

static void task_for_others(void)
{
    int executed = 0;
    #pragma omp task shared(executed)
    add(&executed);
    expect(becomes(&executed, 1), "nobody executes a task", -1);
    #pragma omp taskwait
}

static void region(int threads, int what)
{
    size = threads;
    due += threads;
    #pragma omp parallel num_threads(size)
    {
        const int me = omp_get_thread_num();
        if ((what == LATE_FIRST && me == 0) || (what == LATE_LAST && me == size - 1))
            (void)usleep(20000);
        if (what >= TASK && me == 0) {
            (void)usleep(20000);
            if (what == TASK) {
                task_for_others();
            } else {
                #pragma omp taskloop
                for (int i = 0; i < 10; i++)
                    __asm__ volatile("");
            }
        }
    }
}

/* A team of two before that of many: where there are no more processors, the many meet as the two did. */
int main(int argc, char **argv)
{
    static const int rounds[] = {NOTHING, NOTHING, NOTHING, LATE_FIRST, LATE_LAST, NOTHING, TASK, TASK, NOTHING, TASKLOOP, LATE_FIRST};
    const int n = (int)(sizeof rounds / sizeof *rounds), many = argc > 1 ? atoi(argv[1]) : 2;
    region(2, NOTHING);
    for (int i = 0; i < n; i++) {
        region(2, NOTHING);
        region(many, rounds[i]); /* the end of the first that makes a task is reported with the next */
        expect(now(&arrived) == due, "not all arrive", i);
        behind = rounds[i] == TASK && rounds[i - 1] != TASK;
        if (!behind)
            expect(becomes(&ended, due), "events of workers are late", i);
    }
    for (int i = 0; i < 1000; i++) {
        region(2, NOTHING);
        region(many, NOTHING);
    }
    expect(becomes(&ended, due) && early == 0, "events are missing, or too early", n);
    if (faults == 0)
        printf("as expected\n");
    return faults != 0;
}
