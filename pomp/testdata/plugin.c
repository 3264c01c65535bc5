/* An instrumented library that a program loads and unloads. */
#include "unit.h"

enum { PAR = 1, FOR };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION_FULL(FOR, FOR, "for", "", 0, &pomp_d[PAR - 1]))

void work(void)
{
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
        EVENT(For_enter, FOR);
        EVENT(For_exit, FOR);
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
}
