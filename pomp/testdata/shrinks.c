/* Regions whose ends only their encountering thread sees. In one of N threads (1) thread 0 works 60 ms and the others do not. Then come 50
 * empty regions (2), of one thread fewer each time, at least 2. argv[1]: N, 4 without it. */
#include "unit.h"

#include <omp.h>

UNIT(REGION(1, PARALLEL, "parallel"), REGION(2, PARALLEL, "parallel"))

static void region(int number, int threads, int work)
{
    FORK(h, number, threads);
#pragma omp parallel num_threads(threads) firstprivate(h)
    {
        WITH(Parallel_begin, number, h);
        if (omp_get_thread_num() == 0 && work > 0)
            ms(work);
        WITH(Parallel_end, number, h);
    }
    WITH(Parallel_join, number, h);
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 4;
    region(1, threads, 1); /* makes the threads */
    region(1, threads, 60);
    for (int i = 0; i < 50; i++)
        region(2, threads - 1 - i > 2 ? threads - 1 - i : 2, 0);
    return 0;
}
