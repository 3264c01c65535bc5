/* The host reads before the target task has ended. */
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
        y = x;
#pragma omp taskwait
    }
    printf("%d\n", y >= 0);
    return 0;
}
