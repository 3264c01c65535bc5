/* Each thread of a team has a team of its own in the same region, and each of those has a thread that works for longer. */
#include "seed.h"

static int64_t lost[2];
static int line;

static void inner(int me)
{
    int64_t arrival[2] = {0, 0};
    line = __LINE__ + 1;
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        work((thread == me ? 160 : 20 + 10 * me) * MS);
        arrival[thread] = now();
    }
    lost[me] += arrival[0] > arrival[1] ? arrival[0] - arrival[1] : arrival[1] - arrival[0];
}

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    for (int step = 0; step < 3; step++)
        inner(omp_get_thread_num());
    truth("imbalance-parallel", line, lost[0] + lost[1]);
}
