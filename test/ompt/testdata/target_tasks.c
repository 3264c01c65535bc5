/* target_tasks.c: what orders the accesses to x are dependences between target tasks and other tasks. No race. */
#include <stdio.h>

static int x;

int main(void)
{
    for (int round = 0; round < 40; round++)
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp target nowait depend(out : x) map(tofrom : x)
        x++;
#pragma omp task depend(inout : x)
        {
            for (volatile int i = 0; i < 10000; i++) {
            }
            x++;
        }
#pragma omp target nowait depend(inout : x) map(tofrom : x)
        x++;
#pragma omp taskwait
        x++;
    }
    printf("%d\n", x);
    return x != 160;
}
