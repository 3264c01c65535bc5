// threads 6
#include "work.h"

int main(void)
{
#pragma omp parallel num_threads(BEFORE_OR_AFTER(3, 6))
#pragma omp single
    {
        for (int i = 0; i < 72; i++) {
#pragma omp task
            work(20);
        }
#pragma omp taskwait
        work(60);
    }
    return 0;
}
