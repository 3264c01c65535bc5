/* A task ends when its event is fulfilled, by another task. */
#include <omp.h>
#include <stdio.h>
int x;
int main(void)
{
    omp_event_handle_t e;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(e)
        x = 1;
#pragma omp task
        omp_fulfill_event(e);
#pragma omp taskwait
        x++;
    }
    printf("%d\n", x);
    return 0;
}
