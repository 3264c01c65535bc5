/* A lane reads what the lane before writes. Not found: one thread executes the loop. */
#include <stdio.h>
int a[100];
int main(void)
{
#pragma omp parallel num_threads(1)
#pragma omp simd
    for (int i = 1; i < 100; i++)
        a[i] = a[i - 1] + 1;
    printf("%d\n", a[99] > 0);
    return 0;
}
