// balance HERE and no lock sum
#include "work.h"

int main(void)
{
#pragma omp parallel num_threads(4)
    for (int step = 0; step < 8; step++) {
#pragma omp for schedule(static) /* HERE */
        for (int i = 0; i < 4; i++)
            work(BEFORE_OR_AFTER(10 + 20 * i, 40));
#ifdef CHANGED
        work(10);
#else
#pragma omp critical(sum)
        work(10);
#endif
#pragma omp barrier
    }
    return 0;
}
