/* What the test counts in the trace: three regions of two threads; in each a loop per thread, a critical and a lock per thread, and
 * five tasks. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int k = 0; k < 3; k++)
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            __asm__ volatile("");
#pragma omp critical
        n++;
        omp_set_lock(&lock);
        n++;
        omp_unset_lock(&lock);
#pragma omp single
        for (int i = 0; i < 5; i++)
#pragma omp task
            __asm__ volatile("");
    }
    omp_destroy_lock(&lock);
    printf("%d\n", n);
    return 0;
}
