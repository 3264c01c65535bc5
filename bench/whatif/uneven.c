// halve work of HERE
#include "work.h"

/* The slow loop is no longer the slow one once it takes half its time. */
int main(void)
{
    for (int step = 0; step < 10; step++) {
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(static) nowait /* HERE */
            for (int i = 0; i < 4; i++)
                work(BEFORE_OR_AFTER(10 + 20 * i, 5 + 10 * i));
#pragma omp for schedule(static)
            for (int i = 0; i < 4; i++)
                work(40 - 10 * i);
        }
    }
    return 0;
}
