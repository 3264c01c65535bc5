// scale work of HERE by 0.25
#include "work.h"

int main(void)
{
#pragma omp parallel num_threads(3)
    for (int step = 0; step < 10; step++) {
#pragma omp for
        for (int i = 0; i < 6; i++)
            work(15);
#pragma omp single /* HERE */
        work(BEFORE_OR_AFTER(40, 10));
    }
    return 0;
}
