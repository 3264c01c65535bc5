/* Tasks that need each other's results, and threads that have nothing else to do. */
#include "seed.h"

int main(void)
{
    int64_t single = 0, begun = 0, end = 0, lost;
    int line = 0, value = 0;
#pragma omp parallel num_threads(3)
    {
        line = __LINE__ + 1;
#pragma omp single
        {
            single = now();
            for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : value)
                {
                    begun = begun == 0 ? now() : begun;
                    work(10 * MS);
                    value++;
                    end = now();
                }
            }
        }
    }
    lost = 2 * (end - begun) + (begun - single);
    truth_cause("task-starvation", line, lost, "caused in depend.c:15 task & tasks of depend.c:15 wait for each other");
}
