/* Two threads that have to share one processor. */
#include "off.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    only(1);
    for (int step = 0; step < 5; step++) {
#pragma omp parallel num_threads(2) reduction(+ : lost)
        {
            line = __LINE__ + 1;
#pragma omp for schedule(static)
            for (int i = 0; i < 8; i++) {
                const int64_t before = delayed();
                compute(10 * MS);
                lost += delayed() - before;
            }
        }
    }
    truth("preempted", line, lost, "bound to one core");
    return 0;
}
