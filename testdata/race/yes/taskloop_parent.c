/* The parent goes on beside the tasks of a taskloop without a group. */
#include <stdio.h>
int a[64];
int main(void)
{
    int s = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup grainsize(8)
        for (int i = 0; i < 64; i++)
            a[i] = i;
        for (int i = 0; i < 64; i++)
            s += a[i];
    }
    printf("%d\n", s >= 0);
    return 0;
}
