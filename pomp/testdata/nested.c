/* 10,000 nested teams, each new threads for the runtime, and recursion through parallel regions. Memory must not grow with their number:
 * exit code 3 if it does. argv[1]: how many hundredths of them,
 * 100 without it. */
#include "unit.h"

#include <omp.h>
#include <sys/resource.h>

enum { OUTER = 1, INNER, DEEP };

UNIT(REGION(OUTER, PARALLEL, "parallel"), REGION(INNER, PARALLEL, "parallel"), REGION(DEEP, PARALLEL, "parallel"))

static void team(void)
{
    FORK(g, INNER, 2);
#pragma omp parallel num_threads(2) firstprivate(g)
    {
        WITH(Parallel_begin, INNER, g);
        WITH(Parallel_end, INNER, g);
    }
    WITH(Parallel_join, INNER, g);
}

static void rounds(int n)
{
    for (int i = 0; i < n; i++) {
        FORK(h, OUTER, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
        {
            WITH(Parallel_begin, OUTER, h);
            team();
            WITH(Parallel_end, OUTER, h);
        }
        WITH(Parallel_join, OUTER, h);
    }
}

static void deep(int depth)
{
    FORK(h, DEEP, 1);
#pragma omp parallel num_threads(1) firstprivate(h)
    {
        WITH(Parallel_begin, DEEP, h);
        if (depth > 1)
            deep(depth - 1);
        WITH(Parallel_end, DEEP, h);
    }
    WITH(Parallel_join, DEEP, h);
}

static long resident(void)
{
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_maxrss : 0;
}

int main(int argc, char **argv)
{
    int hundredths = argc > 1 ? atoi(argv[1]) : 100;
    omp_set_max_active_levels(2);
    rounds(10 * hundredths);
    long before = resident();
    rounds(40 * hundredths);
    omp_set_max_active_levels(1);
    deep(100);
    return resident() - before > 4096 ? 3 : 0;
}
