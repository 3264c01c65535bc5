/* Threads that do nearly all their work in a critical construct. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel num_threads(3) reduction(+ : lost)
    for (int i = 0; i < 20; i++) {
        work(1 * MS);
        const int64_t asked = now();
        line = __LINE__ + 1;
#pragma omp critical(gate)
        {
            lost += now() - asked;
            work(4 * MS);
        }
    }
    truth("critical", line, lost);
}
