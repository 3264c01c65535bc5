/* One thread holds a lock for long, in a region of its own; the other needs it for a moment. */
#include "seed.h"

static omp_lock_t gate;

static void update(void)
{
    omp_set_lock(&gate);
#pragma pomp inst begin(update)
    work(15 * MS);
#pragma pomp inst end(update)
    omp_unset_lock(&gate);
}

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    omp_init_lock(&gate);
#pragma omp parallel num_threads(2) reduction(+ : lost)
    for (int i = 0; i < 15; i++) {
        if (omp_get_thread_num() == 0) {
            update();
            work(1 * MS);
        } else {
            work(2 * MS);
            const int64_t asked = now();
            line = __LINE__ + 1;
            omp_set_lock(&gate);
            lost += now() - asked;
            omp_unset_lock(&gate);
            work(4 * MS);
        }
    }
    omp_destroy_lock(&gate);
    truth_cause("lock", line, lost, "caused in holder.c:9 region(update), by thread 0");
}
