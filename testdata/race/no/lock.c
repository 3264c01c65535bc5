/* A lock guards the counter. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int n = 0;
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 20; i++) {
        omp_set_lock(&l);
        n++;
        omp_unset_lock(&l);
    }
    omp_destroy_lock(&l);
    printf("%d\n", n);
    return 0;
}
