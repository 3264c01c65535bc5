// balance HERE
#include "work.h"

/* The threads of a parallel region without a loop have different work, and meet at its barrier. */
int main(void)
{
#pragma omp parallel num_threads(4) /* HERE */
    for (int step = 0; step < 12; step++) {
        work(BEFORE_OR_AFTER(10 + 20 * omp_get_thread_num(), 40));
#pragma omp barrier
    }
    return 0;
}
