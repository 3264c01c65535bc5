/* Nothing is wrong with it. */
#include "seed.h"

int main(void)
{
#pragma omp parallel num_threads(2)
    for (int step = 0; step < 2; step++) {
#pragma omp for schedule(static)
        for (int i = 0; i < 2; i++)
            work(400 * MS);
    }
}
