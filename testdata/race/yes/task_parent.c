/* The parent reads before a taskwait. */
#include <stdio.h>
int main(void)
{
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x)
        x = 1;
        y = x;
#pragma omp taskwait
    }
    printf("%d\n", y >= 0);
    return 0;
}
