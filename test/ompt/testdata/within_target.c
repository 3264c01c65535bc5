/* What stands in target is not instrumented, as it may run on a device; here the host executes it. A cancel and a taskwait there are of regions
 * and tasks of which nothing is reported, so of them neither is anything. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0, x = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp target map(tofrom : n, x)
#pragma omp parallel num_threads(2)
        {
#pragma omp task depend(inout : x)
            ;
#pragma omp taskwait depend(in : x)
#pragma omp cancel parallel if(omp_get_thread_num() == 0)
#pragma omp barrier
        }
#pragma omp atomic
        n++;
    }
    printf("%d\n", n);
    return 0;
}
