/* Regions within regions. */
#include <omp.h>
#include <stdio.h>
int a[4][4];
int main(void)
{
    int s = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int o = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        a[o][omp_get_thread_num()] = 1;
        a[o][0] += a[o][1];
    }
    s = a[0][0] + a[1][0];
    printf("%d\n", s > 0);
    return 0;
}
