/* One section works, and another one waits for it in a loop of its own. */
#include <omp.h>
#include <stdio.h>

static volatile double sink;
static int flag;

static void work(void)
{
    for (int i = 0; i < 5000000; i++)
        sink = sink + i;
}

static void one(int round)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            work();
#pragma omp atomic write
            flag = round;
        }
#pragma omp section
        {
            for (int seen = 0; seen != round;) {
#pragma omp atomic read
                seen = flag;
            }
        }
    }
}

static void two(int round)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            work();
#pragma omp atomic write
            flag = round;
        }
#pragma omp section
        {
            for (int seen = 0; seen != round;) {
#pragma omp atomic read
                seen = flag;
#pragma omp flush
            }
        }
    }
}

static void lock(omp_lock_t *held)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            omp_set_lock(held);
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            work();
        else
            while (!omp_test_lock(held))
                ;
        omp_unset_lock(held);
    }
}

int main(void)
{
    omp_lock_t held;
    omp_init_lock(&held);
    for (int round = 1; round <= 3; round++) {
        one(round);
        two(-round);
        lock(&held);
    }
    printf("%d\n", flag);
    return 0;
}
