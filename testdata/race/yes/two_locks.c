/* Each thread sets a lock of its own. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int n = 0;
    omp_lock_t l[2];
    omp_init_lock(&l[0]);
    omp_init_lock(&l[1]);
#pragma omp parallel num_threads(2)
    {
        omp_lock_t *mine = &l[omp_get_thread_num()];
        omp_set_lock(mine);
        n++;
        omp_unset_lock(mine);
    }
    printf("%d\n", n > 0);
    return 0;
}
