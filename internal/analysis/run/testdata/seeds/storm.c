/* A barrier after each microsecond of work. */
#include "seed.h"

int main(void)
{
    enum { steps = 20000 };
    int64_t start = 0, end = 0;
    int line = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        start = now();
        for (int i = 0; i < steps; i++) {
            work(1 * US);
            line = __LINE__ + 1;
#pragma omp barrier
        }
#pragma omp master
        end = now();
    }
    truth("granularity", line, 2 * (end - start - steps * US));
}
