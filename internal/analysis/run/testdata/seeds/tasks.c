/* One thread makes the tasks, more slowly than the others execute them. */
#include "seed.h"

int main(void)
{
    int64_t start = 0, end = 0;
    int line = 0;
#pragma omp parallel num_threads(3)
    {
        at[omp_get_thread_num()][0] = 0;
        line = __LINE__ + 1;
#pragma omp single
        {
            start = now();
            for (int i = 0; i < 60; i++) {
                work(3 * MS);
#pragma omp task
                {
                    const int64_t begun = now();
                    work(1 * MS);
                    at[omp_get_thread_num()][0] += now() - begun;
                }
            }
            end = now();
            at[omp_get_thread_num()][0] += end - start;
        }
    }
    truth("task-starvation", line, 3 * (end - start) - at[0][0] - at[1][0] - at[2][0]);
}
