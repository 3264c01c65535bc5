// no lock HERE
#include "work.h"

/* Two threads that compute exclude each other. */
int main(void)
{
#pragma omp parallel for schedule(static) num_threads(2)
    for (int i = 0; i < 40; i++) {
        work(5);
#ifdef CHANGED
        work(15);
#else
#pragma omp critical /* HERE */
        work(15);
#endif
    }
    return 0;
}
