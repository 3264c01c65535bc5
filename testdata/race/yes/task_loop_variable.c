/* A task reads the loop's variable, which its parent counts on. */
#include <stdio.h>
int i, sum;
int main(void)
{
#pragma omp parallel
#pragma omp single
    for (i = 0; i < 10; i++) {
#pragma omp task
        {
#pragma omp atomic
            sum += i;
        }
    }
    printf("%d\n", sum >= 0);
    return 0;
}
