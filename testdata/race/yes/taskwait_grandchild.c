/* A taskwait does not wait for the children of children. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            x = 1;
        }
#pragma omp taskwait
        y = x;
    }
    printf("%d\n", y >= 0);
    return 0;
}
