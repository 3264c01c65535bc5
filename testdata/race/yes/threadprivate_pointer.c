/* All threads reach the first thread's copy through a pointer. */
#include <stdio.h>
static int n;
#pragma omp threadprivate(n)
int main(void)
{
    int *p = &n;
#pragma omp parallel num_threads(4)
    *p += 1;
    printf("%d\n", n > 0);
    return 0;
}
