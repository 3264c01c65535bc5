// halve work of serial code before parallel
#include "work.h"

int main(void)
{
    work(50);
    for (int step = 0; step < 10; step++) {
#pragma omp parallel num_threads(4)
        work(10 + 10 * omp_get_thread_num());
        if (step < 9)
            work(BEFORE_OR_AFTER(40, 20));
    }
    return 0;
}
