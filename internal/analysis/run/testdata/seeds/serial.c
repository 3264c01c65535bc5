/* Most of the work is done between the parallel regions, by one thread. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel num_threads(2)
    mark();
    for (int step = 0; step < 5; step++) {
        const int64_t start = now();
        work(40 * MS);
        lost += now() - start;
        line = __LINE__ + 1;
#pragma omp parallel num_threads(2)
        work(5 * MS);
    }
    truth("idle-serial", line, lost);
}
