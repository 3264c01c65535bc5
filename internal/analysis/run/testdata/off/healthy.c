/* Two threads with the same work, in regions and between barriers of several lengths. */
#include "off.h"

int main(void)
{
    for (int step = 0; step < 15; step++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp for schedule(static)
            for (int i = 0; i < 8; i++)
                compute(2 * MS);
#pragma omp for schedule(static)
            for (int i = 0; i < 8; i++)
                compute(1 * MS);
        }
    }
    return 0;
}
