// halve work of HERE
#include "work.h"

/* A chain of tasks that depend on each other, beside tasks that do not. */
int main(void)
{
    int data = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : data) /* HERE */
        work(BEFORE_OR_AFTER(40, 20));
#pragma omp task
        work(15);
    }
    return 0;
}
