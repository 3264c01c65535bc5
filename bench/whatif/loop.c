// balance HERE
#include "work.h"

int main(void)
{
    for (int step = 0; step < 10; step++) {
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(static) /* HERE */
            for (int i = 0; i < 8; i++)
                work(BEFORE_OR_AFTER(2.0 + 5 * i, 19.5));
#pragma omp single
            work(10);
        }
    }
    return 0;
}
