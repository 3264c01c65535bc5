// halve work of HERE
#include "work.h"

int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int step = 0; step < 6; step++) {
        for (int i = 0; i < 12; i++) {
#pragma omp task /* HERE */
            work(BEFORE_OR_AFTER(30, 15));
        }
#pragma omp taskwait
        work(20);
    }
    return 0;
}
