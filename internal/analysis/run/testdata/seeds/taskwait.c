/* A thread waits for a task that another one executes. */
#include "seed.h"

int main(void)
{
    int64_t lost = 0;
    int line = 0;
    volatile int taken = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 4; i++) {
                taken = 0;
#pragma omp task shared(taken)
                {
                    taken = 1;
                    work(60 * MS);
                }
                while (!taken)
                    ;
                const int64_t start = now();
                line = __LINE__ + 1;
#pragma omp taskwait
                lost += now() - start;
            }
        }
    }
    truth_cause("taskwait", line, lost, "caused in taskwait.c:14 task, by thread 1");
}
