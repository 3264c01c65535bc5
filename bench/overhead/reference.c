#include "overhead.h"

void r_serial(long repetitions)
{
    for (long i = 0; i < repetitions; i++)
        work();
}

void r_team(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++)
        work();
}
