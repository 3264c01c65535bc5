/* minimum.c: 100000 regions of nearly no time and 3 of 20 ms, in two outer ones: the second has nothing long inside and takes long itself. Locks are
 * held and tasks executed 50 times for nearly no time, and once for long. */
#include <omp.h>
#include <unistd.h>

static omp_lock_t lock;

static void locks_and_tasks(void)
{
    for (int i = 0; i < 51; i++) {
        omp_set_lock(&lock);
        if (i == 20)
            usleep(20000);
        omp_unset_lock(&lock);
#pragma omp task
        if (i == 30)
            usleep(20000);
    }
}

int main(void)
{
    volatile long n = 0;
#pragma pomp inst begin(outer)
    for (int i = 0; i < 100000; i++) {
#pragma pomp inst begin(short)
        n++;
#pragma pomp inst end(short)
        if (i % 40000 == 1) {
#pragma pomp inst begin(long)
            usleep(20000);
#pragma pomp inst end(long)
        }
    }
#pragma pomp inst end(outer)
#pragma pomp inst begin(outer)
    for (int i = 0; i < 50; i++) {
#pragma omp critical
        n++;
    }
    usleep(20000);
#pragma pomp inst end(outer)
    omp_init_lock(&lock);
    locks_and_tasks();
    return 0;
}
