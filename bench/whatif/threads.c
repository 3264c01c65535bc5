// threads 4
#include "work.h"

int main(void)
{
    omp_set_num_threads(BEFORE_OR_AFTER(2, 4));
    for (int step = 0; step < 8; step++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < 16; i++)
            work(8);
        work(12);
    }
    return 0;
}
