// balance HERE
#include "work.h"

/* One of two threads has three quarters of the work. It computes. */
int main(void)
{
    for (int step = 0; step < 10; step++) {
#pragma omp parallel for schedule(static) num_threads(2) /* HERE */
        for (int i = 0; i < 4; i++)
            work(i < 2 ? BEFORE_OR_AFTER(10, 20) : BEFORE_OR_AFTER(30, 20));
        work(10);
    }
    return 0;
}
