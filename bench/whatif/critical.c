// no lock total
#include "work.h"

int main(void)
{
#pragma omp parallel for schedule(static) num_threads(4)
    for (int i = 0; i < 40; i++) {
        work(10);
#ifdef CHANGED
        work(15);
#else
#pragma omp critical(total)
        work(15);
#endif
    }
    return 0;
}
