// halve work of HERE
#include "work.h"

/* Work in a critical construct that all threads wait for. */
int main(void)
{
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 12; i++) {
        work(20);
#pragma omp critical /* HERE */
        work(BEFORE_OR_AFTER(16, 8));
    }
    return 0;
}
