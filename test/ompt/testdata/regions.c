/* regions.c: a tool in the program gets the events of parallel regions that come again, of one thread and of two, deep in each other, with tasks, with measuring off
 * within and behind a cancel. Each has a begin, the first thread's implicit task within, and an end, with the same words, frames and states.
 */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

enum { DEEP = 60, TIMES = 4 };
static struct region {
    unsigned long number, tasks;
    unsigned requested;
} open[DEEP + 4];
static int depth, faults, firsts, tasks;
static unsigned long regions;
static ompt_get_task_info_t task_info;
static ompt_get_parallel_info_t parallel_info;
static ompt_get_state_t state;

#define EXPECT(x) expect((x), #x, __LINE__)
static void expect(int holds, const char *what, int line)
{
    if (!holds && faults++ == 0)
        fprintf(stderr, "line %d: not %s; region %lu, depth %d\n", line, what, regions, depth);
}

static ompt_frame_t *frame_of(int ancestor)
{
    ompt_frame_t *frame = NULL;
    EXPECT(task_info(ancestor, NULL, NULL, &frame, NULL, NULL) == 2);
    return frame;
}

/* All regions are met by the initial thread. */
static void on_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested, int flags, const void *ra)
{
    EXPECT(task != NULL && parallel->value == 0 && ra != NULL && frame->enter_frame.ptr != NULL && (flags & (int)ompt_parallel_team) != 0);
    EXPECT(state(NULL) == ompt_state_overhead);
    parallel->value = ++regions;
    open[++depth] = (struct region){regions, 0, requested};
}

static void on_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *ra)
{
    EXPECT(parallel->value == open[depth].number && task != NULL && (flags & (int)ompt_parallel_team) != 0 && ra != NULL);
    EXPECT(open[depth].tasks == 2 && frame_of(0)->enter_frame.ptr != NULL);
    EXPECT(state(NULL) == ompt_state_overhead);
    depth--;
}

static void on_implicit(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    if ((flags & (int)ompt_task_implicit) == 0 || index != 0)
        return;
    firsts += at == ompt_scope_begin;
    open[depth].tasks++;
    if (at == ompt_scope_begin) {
        EXPECT(parallel->value == open[depth].number && task->value == 0 && size <= open[depth].requested && state(NULL) == ompt_state_work_parallel);
        EXPECT(frame_of(0)->enter_frame.ptr == NULL && frame_of(1)->enter_frame.ptr != NULL);
        task->value = open[depth].number;
    } else {
        EXPECT(parallel == NULL && task->value == open[depth].number && frame_of(0)->exit_frame.ptr == NULL);
    }
}

static void on_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *made, int flags, int dependences, const void *ra)
{
    (void)maker, (void)made, (void)dependences, (void)ra;
    if ((flags & (int)ompt_task_explicit) != 0 && frame->enter_frame.ptr != NULL)
        (void)__atomic_add_fetch(&tasks, 1, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    state = (ompt_get_state_t)lookup("ompt_get_state");
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_end);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit);
    set(ompt_callback_task_create, (ompt_callback_t)on_create);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

/* What the program itself sees within a region. */
static void inside(unsigned long first)
{
    ompt_data_t *parallel = NULL;
    int size = 0;
    if (omp_get_thread_num() != 0)
        return;
    EXPECT(parallel_info(0, &parallel, &size) == 2 && parallel->value > first && size == omp_get_num_threads());
    EXPECT(frame_of(0)->exit_frame.ptr != NULL && frame_of(0)->enter_frame.ptr == NULL && state(NULL) == ompt_state_work_parallel);
}

static void outside(unsigned long count, unsigned long first)
{
    EXPECT(regions == first + count && firsts == (int)regions && depth == 0 && frame_of(0)->enter_frame.ptr == NULL);
    EXPECT(state(NULL) == ompt_state_work_serial);
}

static void deeper(int left)
{
    #pragma omp parallel num_threads(1)
    {
        inside(0);
        if (left > 1)
            deeper(left - 1);
        inside(0);
    }
}

static void threads(int n)
{
    #pragma omp parallel num_threads(n)
    inside(0);
}

static void alone(int many)
{
    #pragma omp parallel if (many)
    inside(0);
}

static void making(void)
{
    #pragma omp parallel
    {
        #pragma omp task
        inside(0);
    }
}

static void off_within(void)
{
    #pragma omp parallel num_threads(1)
    {
        #pragma pomp inst off
        __asm__ volatile("");
    }
    #pragma pomp inst on
}

static void cancelled(void)
{
    #pragma omp parallel
    {
        #pragma omp cancel parallel
        inside(0);
    }
}

int main(void)
{
    #pragma pomp inst init
    for (int i = 0; i < TIMES; i++) {
        unsigned long before = regions;
        deeper(DEEP);
        outside(DEEP, before);
        for (int n = 1; n < 3; n++)
            for (int k = 0; k < TIMES; k++)
                threads(n);
        outside(DEEP + 2 * TIMES, before);
        alone(i % 2);
        alone(1);
        making();
        outside(DEEP + 2 * TIMES + 3, before);
        off_within();
        outside(DEEP + 2 * TIMES + 4, before);
        if (i > 1)
            cancelled();
        outside(DEEP + 2 * TIMES + 4 + (i > 1), before);
    }
    EXPECT(tasks == TIMES * omp_get_max_threads());
    printf("%s\n", faults == 0 ? "as expected" : "not as expected");
    return 0;
}
