/* The threads of a parallel region have different work. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    for (int step = 0; step < 5; step++) {
        line = __LINE__ + 1;
#pragma omp parallel num_threads(3)
        {
            work((1 + omp_get_thread_num()) * 12 * MS);
            mark();
        }
        lost += waited(3);
    }
    truth("imbalance-parallel", line, lost);
}
