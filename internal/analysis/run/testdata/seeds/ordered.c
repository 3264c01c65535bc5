/* A loop that is all in its ordered construct. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(3) reduction(+ : lost)
    for (int i = 0; i < 45; i++) {
        const int64_t asked = now();
        line = __LINE__ + 1;
#pragma omp ordered
        {
            lost += now() - asked;
            work(4 * MS);
        }
    }
    truth("ordered", line, lost);
}
