// balance HERE
#include "work.h"

int main(void)
{
    for (int step = 0; step < 10; step++) {
        work(15);
#pragma omp parallel num_threads(3)
#pragma omp sections /* HERE */
        {
#pragma omp section
            work(BEFORE_OR_AFTER(60, 30));
#pragma omp section
            work(BEFORE_OR_AFTER(20, 30));
#pragma omp section
            work(BEFORE_OR_AFTER(10, 30));
        }
    }
    return 0;
}
