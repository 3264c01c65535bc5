/* Where time goes, against known delays: critical and lock (2 threads, 30 ms each within), tasks executed in a barrier and in the
 * implicit barrier of a region, taskwait, taskgroup, exclusive time. */
#include "unit.h"

#include <omp.h>

enum { PAR = 1, CRIT, SET, UNSET, TASKPAR, TASK, SINGLE, DOCK, DTASK, WAITPAR, TASKWAIT, WTASK, GROUP, GTASK, USER, INNER };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION(CRIT, CRITICAL, "critical"), REGION(SET, LOCK, "lock"), REGION(UNSET, LOCK, "lock"),
     REGION(TASKPAR, PARALLEL, "parallel"), REGION(TASK, TASK, "task"), REGION(SINGLE, SINGLE, "single"), REGION(DOCK, PARALLEL, "parallel"),
     REGION(DTASK, TASK, "task"), REGION(WAITPAR, PARALLEL, "parallel"), REGION(TASKWAIT, TASKWAIT, "taskwait"), REGION(WTASK, TASK, "task"),
     REGION(GROUP, TASKGROUP, "taskgroup"), REGION(GTASK, TASK, "task"), REGION(USER, REGION, "region"), REGION(INNER, REGION, "region"))

static omp_lock_t lock;

static void spawn(int r, int delay)
{
    CREATE(h, r, 1);
#pragma omp task firstprivate(h, r, delay)
    {
        WITH(Task_begin, r, h);
        ms(delay);
        WITH(Task_end, r, h);
    }
    WITH(Task_create_end, r, h);
}

static void mutexes(void)
{
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
        EVENT(Critical_enter, CRIT);
#pragma omp critical
        {
            EVENT(Critical_begin, CRIT);
            ms(30);
            EVENT(Critical_end, CRIT);
        }
        EVENT(Critical_exit, CRIT);
#pragma omp barrier
        if (ON)
            POMP_Set_lock(D(SET), &lock);
        else
            omp_set_lock(&lock);
        ms(30);
        if (ON)
            POMP_Unset_lock(D(UNSET), &lock);
        else
            omp_unset_lock(&lock);
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
}

/* Two tasks of 40 ms, made by one thread, executed in the barrier of single; then in the region's last barrier. */
static void tasks_in_barriers(void)
{
    FORK(h, TASKPAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, TASKPAR, h);
        EVENT(Single_enter, SINGLE);
#pragma omp single nowait
        {
            EVENT(Single_begin, SINGLE);
            spawn(TASK, 40);
            spawn(TASK, 40);
            EVENT(Single_end, SINGLE);
        }
        EVENT(Barrier_enter, SINGLE);
#pragma omp barrier
        EVENT(Barrier_exit, SINGLE);
        EVENT(Single_exit, SINGLE);
        WITH(Parallel_end, TASKPAR, h);
    }
    WITH(Parallel_join, TASKPAR, h);
    FORK(g, DOCK, 2);
#pragma omp parallel num_threads(2) firstprivate(g)
    {
        WITH(Parallel_begin, DOCK, g);
        if (omp_get_thread_num() == 0) {
            spawn(DTASK, 40);
            spawn(DTASK, 40);
        }
        WITH(Parallel_end, DOCK, g);
    }
    WITH(Parallel_join, DOCK, g);
}

/* The encountering thread executes the task itself or waits for the other thread to do so. */
static void task_waits(void)
{
    FORK(h, WAITPAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, WAITPAR, h);
        if (omp_get_thread_num() == 0) {
            spawn(WTASK, 200);
            ms(10);
            EVENT(Taskwait_enter, TASKWAIT);
#pragma omp taskwait
            EVENT(Taskwait_exit, TASKWAIT);
            EVENT(Taskgroup_enter, GROUP);
#pragma omp taskgroup
            {
                EVENT(Taskgroup_begin, GROUP);
                spawn(GTASK, 200);
                ms(10);
                EVENT(Taskgroup_end, GROUP);
            }
            EVENT(Taskgroup_exit, GROUP);
        }
        WITH(Parallel_end, WAITPAR, h);
    }
    WITH(Parallel_join, WAITPAR, h);
}

static void recurse(int depth)
{
    USER(Begin, USER);
    ms(10);
    if (depth > 1)
        recurse(depth - 1);
    USER(Begin, INNER);
    ms(5);
    USER(End, INNER);
    USER(End, USER);
}

int main(void)
{
    INIT_LOCK(Init_lock, omp_init_lock, &lock);
    mutexes();
    tasks_in_barriers();
    task_waits();
    recurse(3);
    return 0;
}
