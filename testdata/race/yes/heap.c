/* Threads write one block of the heap. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4 * sizeof *p);
#pragma omp parallel num_threads(4)
    p[1] = 2;
    printf("%d\n", p[1]);
    free(p);
    return 0;
}
