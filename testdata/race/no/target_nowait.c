/* The host reads behind a taskwait. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : x)
        x = 1;
#pragma omp taskwait
        y = x;
    }
    printf("%d\n", y);
    return 0;
}
