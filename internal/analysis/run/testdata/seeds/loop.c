/* A loop whose first quarter of iterations has most of the work, shared by blocks. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    for (int step = 0; step < 10; step++) {
#pragma omp parallel num_threads(4)
        {
            line = __LINE__ + 1;
#pragma omp for nowait schedule(static)
            for (int i = 0; i < 16; i++)
                work(i < 4 ? 6 * MS : 1 * MS);
            mark();
        }
        lost += waited(4);
    }
    truth("imbalance-loop", line, lost);
}
