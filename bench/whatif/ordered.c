// halve work of HERE
#include "work.h"

int main(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(4)
    for (int i = 0; i < 48; i++) {
        work(20);
#pragma omp ordered /* HERE */
        work(BEFORE_OR_AFTER(14, 7));
    }
    return 0;
}
