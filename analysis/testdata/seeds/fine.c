/* Tasks of two microseconds: to make them and hand them out takes as long. */
#include "seed.h"

int main(void)
{
    enum { tasks = 100000 };
    int64_t created = 0, executed = 0, end = 0;
    int line = 0;
#pragma omp parallel num_threads(2) reduction(+ : executed)
    {
        at[omp_get_thread_num()][1] = 0;
#pragma omp single nowait
        for (int i = 0; i < tasks; i++) {
            const int64_t asked = now();
            line = __LINE__ + 1;
#pragma omp task
            {
                const int64_t begun = now();
                work(2 * US);
                at[omp_get_thread_num()][1] += now() - begun;
            }
            created += now() - asked;
        }
        mark();
#pragma omp barrier
#pragma omp master
        end = now();
    }
    truth_cause("task-granularity", line, created + 2 * end - at[0][0] - at[1][0] - at[0][1] - at[1][1], "100000 tasks, with 2.");
}
