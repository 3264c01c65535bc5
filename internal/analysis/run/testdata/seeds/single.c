/* The work of a parallel region is in a single construct. */
#include "seed.h"

enum { steps = 4 };
static int64_t end[steps];

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel num_threads(2) reduction(+ : lost)
    for (int step = 0; step < steps; step++) {
        work(5 * MS);
        int waits = 1;
        const int64_t arrival = now();
        line = __LINE__ + 1;
#pragma omp single
        {
            waits = 0;
            work(60 * MS);
            end[step] = now();
        }
        if (waits && end[step] > arrival)
            lost += end[step] - arrival;
    }
    truth("single", line, lost);
}
