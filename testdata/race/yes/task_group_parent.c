/* The parent writes inside the taskgroup, which waits at its end only. */
#include <stdio.h>
int main(void)
{
    int x = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task shared(x)
        x = 1;
        x = 2;
    }
    printf("%d\n", x > 0);
    return 0;
}
