/* Tasks of some microseconds: to make them, each with a row of its own, and to hand them out takes as long. */
#include "seed.h"

struct row {
    double values[20000];
};

int main(void)
{
    enum { tasks = 4000 };
    static struct row first;
    struct row row = first;
    int64_t created = 0, end = 0;
    int line = 0;
#pragma omp parallel num_threads(2)
    {
        at[omp_get_thread_num()][1] = 0;
        mark();
#pragma omp single
        {
            for (int i = 0; i < tasks; i++) {
                const int64_t asked = now();
                line = __LINE__ + 1;
#pragma omp task firstprivate(row)
                {
                    const int64_t begun = now();
                    work(7 * US);
                    if (row.values[i % 20000] != 0)
                        row.values[0] = 1;
                    at[omp_get_thread_num()][1] += now() - begun;
                }
                created += now() - asked;
            }
            mark();
        }
#pragma omp master
        end = now();
    }
    truth_cause("task-granularity", line, created + 2 * end - at[0][0] - at[1][0] - at[0][1] - at[1][1], "4000 tasks, with 7.");
}
