/* A million tasks: one thread makes them, the other executes most (or all, when the maker is throttled). Records must go back to their
 * maker: exit code 3 if memory grows. argv[1]: thousands of tasks. 64 threads on few processors afterwards. */
#include "unit.h"

#include <omp.h>
#include <sys/resource.h>

enum { PAR = 1, TASK, WIDE, FOR };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION(TASK, TASK, "task"), REGION(WIDE, PARALLEL, "parallel"), REGION(FOR, FOR, "for"))

static void make(int n)
{
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
#pragma omp master
        for (int i = 0; i < n; i++) {
            CREATE(k, TASK, 1);
#pragma omp task firstprivate(k)
            {
                WITH(Task_begin, TASK, k);
                WITH(Task_end, TASK, k);
            }
            WITH(Task_create_end, TASK, k);
        }
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
}

static long resident(void)
{
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_maxrss : 0;
}

int main(int argc, char **argv)
{
    int thousands = argc > 1 ? atoi(argv[1]) : 1000;
    make(10 * thousands);
    long before = resident();
    for (int i = 0; i < 99; i++)
        make(10 * thousands);
    if (resident() - before > 4096)
        return 3;
    for (int i = 0; i < 5; i++) {
        FORK(h, WIDE, 64);
#pragma omp parallel num_threads(64) firstprivate(h)
        {
            WITH(Parallel_begin, WIDE, h);
            EVENT(For_enter, FOR);
            EVENT(For_exit, FOR);
            WITH(Parallel_end, WIDE, h);
        }
        WITH(Parallel_join, WIDE, h);
    }
    return 0;
}
