/* sampled_work.h: a program whose threads nest regions, run tasks and wait, and the clock that interrupts them a thousand times a second. */
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static void start_sampling(void (*sample)(int))
{
    struct sigaction act;
    struct itimerval every = {{0, 1000}, {0, 1000}};
    memset(&act, 0, sizeof act);
    act.sa_handler = sample;
    act.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &act, NULL);
    setitimer(ITIMER_PROF, &every, NULL);
}

static void stop_sampling(void)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
    signal(SIGPROF, SIG_IGN);
}

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) if (n > 8)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    long sum = 0;
    omp_set_max_active_levels(2);
    for (int round = 0; round < 12; round++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic, 100) nowait
            for (int i = 0; i < 20000; i++)
                sum += i % 3;
#pragma omp single
            sum += fib(23);
#pragma omp parallel num_threads(2)
            {
#pragma omp critical
                sum++;
#pragma omp barrier
            }
        }
    }
    return sum > 0 ? 0 : 1;
}
