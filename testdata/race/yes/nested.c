/* The teams of two regions share an element. */
#include <omp.h>
#include <stdio.h>
int a[4];
int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        a[omp_get_thread_num()]++;
    }
    printf("%d\n", a[0] > 0);
    return 0;
}
