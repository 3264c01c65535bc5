/* The same with a lock. */
#include "seed.h"

static omp_lock_t gate;

int main(void)
{
    int64_t lost = 0;
    const int line = __LINE__ + 6;
    omp_init_lock(&gate);
#pragma omp parallel num_threads(3) reduction(+ : lost)
    for (int i = 0; i < 20; i++) {
        work(1 * MS);
        const int64_t asked = now();
        omp_set_lock(&gate);
        lost += now() - asked;
        work(4 * MS);
        omp_unset_lock(&gate);
    }
    omp_destroy_lock(&gate);
    truth_cause("lock", line, lost, "caused in lock.c:15 omp_set_lock");
}
