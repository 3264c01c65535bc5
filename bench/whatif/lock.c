// no lock HERE
#include "work.h"

int main(void)
{
    omp_lock_t locks[4];
    for (int i = 0; i < 4; i++)
        omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 12; i++) {
        omp_lock_t *mine = &locks[BEFORE_OR_AFTER(0, omp_get_thread_num())];
        work(12);
        omp_set_lock(mine); /* HERE */
        work(8);
        omp_unset_lock(mine);
    }
    return 0;
}
