/* levels.c: what ompt_get_task_info and ompt_get_parallel_info say at each level. The program is its
 * own tool, so it runs under any runtime.
 *
 * Left out is where LLVM's runtime 19 errs. Behind a serialized region the enter frame of what it was
 * in is still set, and the next task may have no exit frame. Only the innermost of nested serialized
 * regions is undeferred. With one in a task of another the levels never end.
 */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static ompt_get_task_info_t task_info;
static ompt_get_parallel_info_t parallel_info;
static unsigned long tasks, regions;

static void on_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made, int flags,
                      int depends, const void *ra)
{
    (void)task, (void)frame, (void)flags, (void)depends, (void)ra;
    made->value = 100 + __atomic_add_fetch(&tasks, 1, __ATOMIC_RELAXED);
}

/* The threads of a team begin in any order, so an implicit task's number is made of its region's. */
static void on_implicit(ompt_scope_endpoint_t at, ompt_data_t *region, ompt_data_t *task, unsigned size,
                        unsigned index, int flags)
{
    (void)size;
    if (at == ompt_scope_begin)
        task->value = (flags & ompt_task_initial) != 0 ? 1 : 10 * region->value + index;
}

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region, unsigned size,
                        int flags, const void *ra)
{
    (void)task, (void)frame, (void)size, (void)flags, (void)ra;
    region->value = 300 + __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED);
}

static int start(ompt_function_lookup_t look_up, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    (void)device, (void)data;
    task_info = (ompt_get_task_info_t)look_up("ompt_get_task_info");
    parallel_info = (ompt_get_parallel_info_t)look_up("ompt_get_parallel_info");
    set(ompt_callback_task_create, (ompt_callback_t)on_create);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel);
    return 1;
}

static void finish(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {start, finish, {0}};
    (void)version, (void)runtime;
    return &tool;
}

static void look(const char *where)
{
    printf("%s\n", where);
    for (int level = 0;; level++) {
        int flags = 0, thread = -1;
        ompt_data_t *task = NULL, *region = NULL;
        ompt_frame_t *frame = NULL;
        if (task_info == NULL || task_info(level, &flags, &task, &frame, &region, &thread) != 2)
            break;
        printf("  task %lu kind %x region %lu thread %d exit %d enter %d\n", (unsigned long)task->value,
               (unsigned)flags & 0xff, (unsigned long)region->value, thread,
               frame->exit_frame.ptr != NULL, frame->enter_frame.ptr != NULL);
    }
    for (int level = 0;; level++) {
        ompt_data_t *region = NULL;
        int size = -1;
        if (parallel_info == NULL || parallel_info(level, &region, &size) != 2)
            break;
        printf("  region %lu size %d\n", (unsigned long)region->value, size);
    }
}

static void serial(void)
{
    volatile int no = 0;
#pragma omp parallel if (no)
    {
        look("if(0)");
#pragma omp parallel if (no)
        {
            look("if(0) in if(0)");
#pragma omp parallel num_threads(1)
            look("one thread in if(0) in if(0)");
        }
    }
#pragma omp parallel num_threads(1)
    {
        look("one thread");
#pragma omp task if (0)
        look("undeferred task in one thread");
#pragma omp parallel num_threads(1)
        look("one thread in one thread");
    }
#pragma omp parallel for if (no)
    for (int i = 0; i < 1; i++)
        look("for if(0)");
#pragma omp parallel sections if (no)
    {
        look("sections if(0)");
    }
}

static void in_team(void)
{
    volatile int no = 0;
    look("second of two");
#pragma omp task if (0)
    {
        look("undeferred in second of two");
#pragma omp task if (0)
        look("undeferred in undeferred in second of two");
    }
#pragma omp taskgroup
    {
#pragma omp task if (0) mergeable
        look("mergeable in second of two");
    }
#pragma omp parallel if (no)
    {
        look("if(0) in second of two");
#pragma omp parallel num_threads(4)
        look("inactive in if(0) in second of two");
    }
}

/* Explicit tasks in a serialized region, and in none. */
static void in_tasks(void)
{
    volatile int no = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        look("deferred in one thread");
#pragma omp taskwait
#pragma omp task final(1)
        {
            look("final in one thread");
#pragma omp task
            look("included in final in one thread");
        }
#pragma omp taskwait
#pragma omp taskloop num_tasks(1)
        for (int i = 0; i < 1; i++)
            look("taskloop in one thread");
#pragma omp taskloop num_tasks(1) if (no)
        for (int i = 0; i < 1; i++)
            look("taskloop if(0) in one thread");
#pragma omp single
        look("single in one thread");
#pragma omp critical
        look("critical in one thread");
#pragma omp target if (no)
        look("target if(0) in one thread");
    }
    look("behind one thread");
#pragma omp target if (no)
    look("target if(0)");
#pragma omp taskloop num_tasks(1)
    for (int i = 0; i < 1; i++)
        look("taskloop in the initial task");
#pragma omp task
    {
        look("task in the initial task");
#pragma omp parallel if (no)
        look("if(0) in a task in the initial task");
    }
}

static void in_nested_team(void)
{
    volatile int no = 0;
    look("second of two in second of two");
#pragma omp task if (0)
    {
        look("undeferred in an active team in another");
#pragma omp parallel num_threads(1)
        look("one thread in undeferred in an active team in another");
    }
#pragma omp target if (no)
    look("target if(0) in an active team in another");
#pragma omp parallel if (no)
    {
        look("if(0) in an active team in another");
#pragma omp task if (0)
        look("undeferred in if(0) in an active team in another");
    }
}

/* Each region but the outermost is in the second thread of the one around it. */
static void nested(void)
{
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1)
            in_nested_team();
#pragma omp parallel num_threads(1)
        {
            look("one thread in second of two");
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 1)
                look("second of two in one thread in second of two");
        }
    }
    look("behind nested regions");
}

int main(void)
{
    omp_set_max_active_levels(1);
    serial();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        in_team();
#pragma omp task if (0)
    {
        look("undeferred in the initial task");
#pragma omp parallel num_threads(1)
        look("one thread in undeferred in the initial task");
    }
    in_tasks();
    nested();
    return 0;
}
