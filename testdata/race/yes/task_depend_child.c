/* A dependence does not reach the tasks of another parent: the child of the first task may still
 * write when the second one reads. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
#pragma omp task
            x = 1;
        }
#pragma omp task depend(in : x)
        y = x;
#pragma omp taskwait
    }
    printf("%d\n", y >= 0);
    return 0;
}
