/* The tasks of a loop share a sum. */
#include <stdio.h>
int s;
int main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10)
    for (int i = 0; i < 100; i++)
        s += i;
    printf("%d\n", s > 0);
    return 0;
}
