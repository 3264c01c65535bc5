/* What recording does to atomic updates: atomics THREADS SHARED DELAY prints ns of elapsed and of
 * processor time for each of 4 million updates. SHARED: 1, all threads update one variable; 0, each
 * its own. DELAY: steps of an empty loop before and behind each update. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { UPDATES = 4000000, MOST = 64 };

static struct {
    long value;
    char apart[120];
} cells[MOST];

static double processor(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static inline void wait_for(int steps)
{
    for (int i = 0; i < steps; i++)
        __asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const int threads = atoi(argv[1]), shared = atoi(argv[2]), delay = atoi(argv[3]);
    if (threads < 1 || threads > MOST)
        return 2;
    double elapsed = omp_get_wtime(), used = processor();
#pragma omp parallel num_threads(threads)
    {
        long *mine = &cells[shared ? 0 : omp_get_thread_num()].value;
        for (int i = 0; i < UPDATES / threads; i++) {
            wait_for(delay);
#pragma omp atomic
            *mine += i;
            wait_for(delay);
        }
    }
    printf("%.2f %.2f\n", 1e9 * (omp_get_wtime() - elapsed) / UPDATES,
           1e9 * (processor() - used) / UPDATES);
    return 0;
}
