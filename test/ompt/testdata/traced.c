/* What the test counts in the trace: three regions of two threads; in each a loop per thread, a critical and a lock per thread, and
 * five tasks. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int in_critical = 0, locked = 0; /* one each: a critical does not keep a lock's owner out */
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int k = 0; k < 3; k++)
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            __asm__ volatile("");
#pragma omp critical
        in_critical++;
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
#pragma omp single
        for (int i = 0; i < 5; i++)
#pragma omp task
            __asm__ volatile("");
    }
    omp_destroy_lock(&lock);
    printf("%d\n", in_critical + locked);
    return 0;
}
