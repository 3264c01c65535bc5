/* Eight threads on two processors. */
#include "off.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    only(2);
    for (int step = 0; step < 4; step++) {
#pragma omp parallel num_threads(8) reduction(+ : lost)
        {
            line = __LINE__ + 1;
#pragma omp for schedule(static)
            for (int i = 0; i < 16; i++) {
                const int64_t before = delayed();
                compute(10 * MS);
                lost += delayed() - before;
            }
        }
    }
    truth("preempted", line, lost, "more threads than cores");
    return 0;
}
