/* One thread comes late to a barrier, for what it did in a critical construct. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel num_threads(3)
    for (int step = 0; step < 8; step++) {
        work(2 * MS);
        if (omp_get_thread_num() == 1)
#pragma omp critical
            work(20 * MS);
        mark();
        line = __LINE__ + 1;
#pragma omp barrier
#pragma omp master
        lost += waited(3);
#pragma omp barrier
    }
    truth("barrier-explicit", line, lost);
}
