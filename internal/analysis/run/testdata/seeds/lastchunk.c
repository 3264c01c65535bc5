/* A loop with a dynamic schedule whose last chunk takes long. */
#include "seed.h"

enum { STEPS = 5 };

int main(void)
{
    int64_t lost = 0, of[THREADS_MAX] = {0};
    int line = 0, most = 0, last = 0;
    char cause[200];
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(2)
        {
            line = __LINE__ + 1;
#pragma omp for nowait schedule(dynamic, 2)
            for (int i = 40; i < 70; i++) {
                if (i == 69)
                    last = omp_get_thread_num();
                work((i == 69 ? 60 : 2) * MS);
            }
            mark();
        }
        lost += waited(2);
        of[last] += waited(2);
    }
    for (int i = 0; i < 2; i++)
        most = of[i] > of[most] ? i : most;
    snprintf(cause, sizeof cause, "until the last chunk is done, iterations 28 to 29, by thread %d", most);
    truth_cause("imbalance-loop", line, lost, cause);
}
