/* exit() in the middle of a region: argv[1] is the number of the thread that calls it. The others are inside too. */
#include "unit.h"

#include <omp.h>

enum { DONE = 1, PAR, CRIT };

UNIT(REGION(DONE, REGION, "region"), REGION(PAR, PARALLEL, "parallel"), REGION(CRIT, CRITICAL, "critical"))

int main(int argc, char **argv)
{
    int who = argc > 1 ? atoi(argv[1]) : 0;
    USER(Begin, DONE);
    USER(End, DONE);
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
        if (omp_get_thread_num() == who) {
            ms(20);
            EVENT(Critical_enter, CRIT);
#pragma omp critical
            {
                EVENT(Critical_begin, CRIT);
                ms(20);
                exit(7);
            }
        }
        ms(2000);
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
    return 0;
}
