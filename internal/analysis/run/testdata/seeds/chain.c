/* A loop with a chain of ordered constructs, of which one thread's take long. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(3) reduction(+ : lost)
    for (int i = 0; i < 45; i++) {
        work(1 * MS);
        const int64_t asked = now();
        line = __LINE__ + 1;
#pragma omp ordered
        {
            lost += now() - asked;
            work((i % 3 == 0 ? 12 : 1) * MS);
        }
    }
    truth_cause("ordered", line, lost, "caused in chain.c:13 ordered, by thread 0 & ordered is occupied");
}
