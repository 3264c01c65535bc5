/* A thread makes one task at a time, and waits for it. */
#include "seed.h"

int main(void)
{
    int64_t start = 0, end = 0, elsewhere = 0;
    int line = 0, maker = 0;
#pragma omp parallel num_threads(4)
    {
        line = __LINE__ + 1;
#pragma omp single
        {
            maker = omp_get_thread_num();
            start = now();
            for (int i = 0; i < 20; i++) {
#pragma omp task
                {
                    const int64_t begun = now();
                    work(10 * MS);
                    if (omp_get_thread_num() != maker)
                        elsewhere += now() - begun;
                }
#pragma omp taskwait
            }
            end = now();
        }
    }
    truth_cause("task-starvation", line, 3 * (end - start) - elsewhere, "caused in phases.c:16 task & phases.c:23 taskwait holds back the creation of tasks");
}
