/* Two sections for four threads. */
#include "seed.h"

enum { steps = 3 };
static int64_t end[steps][2];

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel num_threads(4) reduction(+ : lost)
    for (int step = 0; step < steps; step++) {
        int idle = 1;
        const int64_t arrival = now();
        line = __LINE__ + 1;
#pragma omp sections
        {
#pragma omp section
            {
                idle = 0;
                work(60 * MS);
                end[step][0] = now();
            }
#pragma omp section
            {
                idle = 0;
                work(60 * MS);
                end[step][1] = now();
            }
        }
        const int64_t last = end[step][0] > end[step][1] ? end[step][0] : end[step][1];
        if (idle && last > arrival)
            lost += last - arrival;
    }
    truth("serial-sections", line, lost);
}
