/* Two threads, one works 60 ms and one 10 ms, in a region with an explicit barrier (1, 2) and in one with an implicit one (3). A loop
 * with its barrier made explicit (4 in 1). argv: none. */
#include "unit.h"

#include <omp.h>

UNIT(REGION(1, PARALLEL, "parallel"), REGION(2, BARRIER, "barrier"), REGION(3, PARALLEL, "parallel"), REGION(4, FOR, "for"))

int main(void)
{
    for (int round = 0; round < 3; round++) {
        FORK(h, 1, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
        {
            WITH(Parallel_begin, 1, h);
            EVENT(For_enter, 4);
#pragma omp for schedule(static) nowait
            for (int i = 0; i < 2; i++)
                ms(i == 0 ? 60 : 10);
            EVENT(Barrier_enter, 4);
#pragma omp barrier
            EVENT(Barrier_exit, 4);
            EVENT(For_exit, 4);
            if (omp_get_thread_num() == 1)
                ms(20);
            EVENT(Barrier_enter, 2);
#pragma omp barrier
            EVENT(Barrier_exit, 2);
            EVENT(Barrier_enter, 1);
#pragma omp barrier
            EVENT(Barrier_exit, 1);
            WITH(Parallel_end, 1, h);
        }
        WITH(Parallel_join, 1, h);
        FORK(g, 3, 2);
#pragma omp parallel num_threads(2) firstprivate(g)
        {
            WITH(Parallel_begin, 3, g);
            ms(omp_get_thread_num() == 0 ? 60 : 10);
            WITH(Parallel_end, 3, g);
        }
        WITH(Parallel_join, 3, g);
    }
    return 0;
}
