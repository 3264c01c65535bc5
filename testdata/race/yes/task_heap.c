/* Parent and task write the same element of a block. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        int *block = calloc(4, sizeof *block);
#pragma omp task firstprivate(block)
        block[0] = 1;
        block[1] = 2;
        block[0] = 2;
#pragma omp taskwait
        free(block);
    }
    puts("1");
    return 0;
}
