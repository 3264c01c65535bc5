/* The thread that has a nestable lock takes it once more: it is the outermost hold that keeps the other out. */
#include "seed.h"

static omp_nest_lock_t gate;

static void step(void)
{
    omp_set_nest_lock(&gate);
#pragma pomp inst begin(step)
    work(4 * MS);
    omp_set_nest_lock(&gate);
    work(6 * MS);
    omp_unset_nest_lock(&gate);
    work(4 * MS);
#pragma pomp inst end(step)
    omp_unset_nest_lock(&gate);
}

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    omp_init_nest_lock(&gate);
#pragma omp parallel num_threads(2) reduction(+ : lost)
    for (int i = 0; i < 15; i++) {
        if (omp_get_thread_num() == 1) {
            step();
            work(1 * MS);
        } else {
            work(2 * MS);
            const int64_t asked = now();
            line = __LINE__ + 1;
            omp_set_nest_lock(&gate);
            lost += now() - asked;
            omp_unset_nest_lock(&gate);
        }
    }
    omp_destroy_nest_lock(&gate);
    truth_cause("lock", line, lost, "caused in nestlock.c:9 region(step), by thread 1");
}
