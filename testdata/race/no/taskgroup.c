/* A taskgroup waits for the children of children, too. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                x = 1;
            }
        }
        y = x;
    }
    printf("%d\n", y);
    return 0;
}
