/* Threads that sleep in their work, one of them for longer. */
#include "off.h"

int main(void)
{
    int64_t slept = 0;
    int line = 0;
    for (int step = 0; step < 10; step++) {
#pragma omp parallel num_threads(2) reduction(+ : slept)
        {
            line = __LINE__ + 1;
#pragma omp for schedule(static)
            for (int i = 0; i < 2; i++) {
                const struct timespec t = {.tv_nsec = (20 + 40 * i) * MS};
                compute(1 * MS);
                const int64_t before = clock_ns(CLOCK_MONOTONIC);
                nanosleep(&t, NULL);
                slept += clock_ns(CLOCK_MONOTONIC) - before;
            }
        }
    }
    truth("blocked", line, slept, "in thread 1");
    return 0;
}
