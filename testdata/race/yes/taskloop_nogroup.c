/* Nobody waits for the tasks of the loop. */
#include <stdio.h>
int a[100];
int main(void)
{
    int y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(10) nogroup
        for (int i = 0; i < 100; i++)
            a[i] = i;
        y = a[99];
    }
    printf("%d\n", y >= 0);
    return 0;
}
