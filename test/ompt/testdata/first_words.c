/* What stands in target is not instrumented. Of the two threads there the second speaks first in the function it calls, as the first thread of its own team. */
#include <omp.h>
#include <stdio.h>

static int n;

static void count(void)
{
#pragma omp critical
    n++;
}

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp target
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1 + omp_get_thread_num()) if (omp_get_thread_num() != 0)
    if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == 0)
        count();
    printf("%d\n", n);
    return 0;
}
