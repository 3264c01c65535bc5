/* kinds.c: constructs of each kind, by one thread: the same events in the same order in each run. */
#include <omp.h>

static int data[64];

static void work(int i)
{
    int value = 0;
#pragma omp atomic
    data[i % 64]++;
#pragma omp critical
    value = data[i % 64];
#pragma omp critical(named)
    data[i % 64] = value;
#pragma omp flush
}

static void team(void)
{
#pragma omp for
    for (int i = 0; i < 4; i++)
        work(i);
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < 4; i++)
        work(i);
#pragma omp for ordered
    for (int i = 0; i < 4; i++) {
#pragma omp ordered
        work(i);
    }
#pragma omp sections
    {
#pragma omp section
        work(1);
#pragma omp section
        work(2);
    }
#pragma omp sections nowait
    {
        work(3);
    }
#pragma omp single
    work(4);
#pragma omp single nowait
    work(5);
#pragma omp master
    work(6);
#pragma omp masked
    work(7);
#pragma omp barrier
}

static void tasks(void)
{
#pragma omp taskgroup
    {
#pragma omp task
        work(8);
#pragma omp taskyield
#pragma omp task if (0)
        work(9);
    }
#pragma omp taskloop
    for (int i = 0; i < 4; i++)
        work(i);
#pragma omp taskloop nogroup
    for (int i = 0; i < 4; i++)
        work(i);
#pragma omp taskwait
}

static void leaves(int n)
{
#pragma omp for
    for (int i = 0; i < 4; i++) {
        if (i == n) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
        work(i);
    }
}

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(1)
        {
            team();
            tasks();
            leaves(round);
#pragma pomp inst begin(mine)
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
            if (omp_test_lock(&lock))
                omp_unset_lock(&lock);
#pragma pomp inst end(mine)
        }
#pragma omp parallel for num_threads(1)
        for (int i = 0; i < 4; i++)
            work(i);
#pragma omp teams num_teams(1)
#pragma omp distribute
        for (int i = 0; i < 4; i++)
            work(i);
#pragma omp target if (0)
        data[0]++;
    }
    omp_destroy_lock(&lock);
    return 0;
}
