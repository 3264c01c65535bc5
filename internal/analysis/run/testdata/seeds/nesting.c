/* A parallel region inside of another, which has one thread: the others wait for it. */
#include "seed.h"

enum { steps = 3 };
static int64_t end[steps];
static int line;

static void solve(void)
{
    line = __LINE__ + 1;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        work(25 * MS);
}

int main(void)
{
    int64_t lost = 0;
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2) reduction(+ : lost)
    for (int step = 0; step < steps; step++) {
        int waits = 1;
        const int64_t arrival = now();
#pragma omp single
        {
            waits = 0;
            solve();
            end[step] = now();
        }
        if (waits && end[step] > arrival)
            lost += end[step] - arrival;
        work(3 * MS);
    }
    truth("false-nesting", line, lost);
}
