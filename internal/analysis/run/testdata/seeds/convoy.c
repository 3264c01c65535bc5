/* Threads queue for one lock of several. One of them holds it for longer than the others do. */
#include "seed.h"

static omp_lock_t gate[4];

int main(void)
{
    int64_t lost = 0;
    const int line = __LINE__ + 10;
    char cause[200];
    for (int i = 0; i < 4; i++)
        omp_init_lock(&gate[i]);
#pragma omp parallel num_threads(3) reduction(+ : lost)
    for (int i = 0; i < 15; i++) {
        omp_set_lock(&gate[omp_get_thread_num()]); /* its own */
        work(1 * MS);
        omp_unset_lock(&gate[omp_get_thread_num()]);
        const int64_t asked = now();
        omp_set_lock(&gate[3]);
        lost += now() - asked;
        work((omp_get_thread_num() == 0 ? 12 : 1) * MS);
        omp_unset_lock(&gate[3]);
    }
    const uintptr_t at = (uintptr_t)&gate[3];
    snprintf(cause, sizeof cause, "caused in convoy.c:%d omp_set_lock, by thread 0 & lock %lu is held", line, (unsigned long)((at >> 2 ^ at >> 22) & 0xfffff));
    truth_cause("lock", line, lost, cause);
}
