/* Cancelled constructs, with OMP_CANCELLATION=true. */
#include <omp.h>
#include <stdio.h>

static int count;

static void add(void)
{
#pragma omp atomic
    count++;
}

int main(void)
{
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 100; i++) {
                if (i == 20) {
#pragma omp cancel for
                }
                add();
            }
#pragma omp sections
            {
#pragma omp section
                {
                    add();
#pragma omp cancel sections
                }
#pragma omp section
                {
#pragma omp cancellation point sections
                    add();
                }
            }
#pragma omp single
#pragma omp taskgroup
            for (int i = 0; i < 20; i++) {
#pragma omp task
                {
                    if (i == 10) {
#pragma omp cancel taskgroup
                    }
#pragma omp critical
                    add();
#pragma omp cancellation point taskgroup
                    add();
                }
            }
        }
#pragma omp parallel
        {
            add();
            if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
            }
#pragma omp barrier
            add();
        }
    }
    printf("%d\n", count > 0);
    return count == 0;
}
