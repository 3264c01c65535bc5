/* Cancellation: parallel, for and taskgroup, often enough for memory to show if records of discarded tasks were lost (exit code 3). Needs
 * OMP_CANCELLATION=true. */
#include "unit.h"

#include <omp.h>
#include <sys/resource.h>

enum { PAR = 1, CANCEL, PFOR, FOR, CFOR, PTASK, GROUP, TASK, CGROUP, BARRIER, AFTER };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION(CANCEL, CANCEL, "cancel"), REGION(PFOR, PARALLEL, "parallel"), REGION(FOR, FOR, "for"),
     REGION(CFOR, CANCEL, "cancel"), REGION(PTASK, PARALLEL, "parallel"), REGION(GROUP, TASKGROUP, "taskgroup"), REGION(TASK, TASK, "task"),
     REGION(CGROUP, CANCEL, "cancel"), REGION(BARRIER, BARRIER, "barrier"), REGION(AFTER, REGION, "region"))

static void cancel_parallel(void)
{
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
        if (omp_get_thread_num() == 1) {
            EVENT(Cancel_enter, CANCEL);
#pragma omp cancel parallel
            EVENT(Cancel_exit, CANCEL);
        }
        EVENT(Barrier_enter, BARRIER);
#pragma omp barrier
        EVENT(Barrier_exit, BARRIER);
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
}

static void cancel_for(void)
{
    FORK(h, PFOR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PFOR, h);
        EVENT(For_enter, FOR);
#pragma omp for
        for (int i = 0; i < 100; i++) {
            EVENT(Cancel_enter, CFOR);
#pragma omp cancel for
            EVENT(Cancel_exit, CFOR);
        }
        EVENT(For_exit, FOR);
        WITH(Parallel_end, PFOR, h);
    }
    WITH(Parallel_join, PFOR, h);
}

static void cancel_tasks(int tasks)
{
    FORK(h, PTASK, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PTASK, h);
        if (omp_get_thread_num() == 0) {
            EVENT(Taskgroup_enter, GROUP);
#pragma omp taskgroup
            {
                EVENT(Taskgroup_begin, GROUP);
                for (int i = 0; i < tasks; i++) {
                    CREATE(k, TASK, 1);
#pragma omp task firstprivate(k)
                    {
                        WITH(Task_begin, TASK, k);
                        EVENT(Cancel_enter, CGROUP);
#pragma omp cancel taskgroup
                        EVENT(Cancel_exit, CGROUP);
                        WITH(Task_end, TASK, k);
                    }
                    WITH(Task_create_end, TASK, k);
                }
                EVENT(Taskgroup_end, GROUP);
            }
            EVENT(Taskgroup_exit, GROUP);
        }
        WITH(Parallel_end, PTASK, h);
    }
    WITH(Parallel_join, PTASK, h);
}

static void rounds(int n)
{
    for (int i = 0; i < n; i++) {
        cancel_parallel();
        cancel_for();
        cancel_tasks(50);
    }
}

static long resident(void)
{
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_maxrss : 0;
}

int main(void)
{
    if (!omp_get_cancellation())
        return 4;
    rounds(200);
    long before = resident();
    rounds(2000);
    if (resident() - before > 4096)
        return 3;
    ms(2000);
    USER(Begin, AFTER);
    USER(End, AFTER);
    return 0;
}
