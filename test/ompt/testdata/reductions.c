/* reductions.c: what orders the values that threads and tasks combine is a lock of the runtime's, or that a group of tasks has ended. No race. */
#include <stdio.h>

static int threads_combine(void)
{
    int s = 0, a[3] = {0, 0, 0};
    double d = 0;
    long double x = 0;
#pragma omp parallel num_threads(4) reduction(+ : s, d)
    {
        s += 1;
        d += 1;
#pragma omp atomic
        x += 1;
    }
#pragma omp parallel for num_threads(4) reduction(+ : s, a[:3])
    for (int i = 0; i < 30; i++) {
        s += i;
        a[i % 3]++;
    }
    return s == 439 && d == 4 && x == 4 && a[0] + a[1] + a[2] == 30;
}

static void work(void)
{
    for (volatile int k = 0; k < 3000; k++) {
    }
}

static int tasks_combine(void)
{
    int s = 0;
    double d = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : s)
        for (int i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : s)
        {
            work();
            s += i;
        }
#pragma omp taskloop reduction(+ : d) grainsize(3)
        for (int i = 0; i < 60; i++) {
            work();
            d += i;
        }
    }
#pragma omp parallel num_threads(4) reduction(task, + : s)
    for (int i = 0; i < 5; i++)
#pragma omp task in_reduction(+ : s)
    {
        work();
        s += i;
    }
    return s == 190 + 40 && d == 1770;
}

int main(void)
{
    int right = 0;
    for (int round = 0; round < 20; round++)
        right += threads_combine() + tasks_combine();
    printf("%d\n", right);
    return right != 40;
}
