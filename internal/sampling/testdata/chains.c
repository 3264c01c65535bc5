/* Functions that call each other in one way only: directly, by a pointer, by recursion, from the
 * library's sort, in a handler of a signal and in the kernel's code. None of them is inlined or calls as its last act. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static volatile double sink;
static double frames[64];

#define APART __attribute__((noinline, noclone))
#define GO_ON __asm__ volatile("" ::: "memory")

APART void begin(void)
{
    GO_ON;
}

/* It calls another function, because compilers give one that does not no frame pointer. */
APART void hot(const double *x)
{
    begin();
    for (int i = 1; i < 200000; i++)
        sink = sink + x[i & 7] / i;
}

APART void inner(double *x)
{
    double own[16] = {x[0], x[1]};
    hot(own);
    GO_ON;
}

APART void middle(void (*call)(double *), double *x, int n)
{
    double *room = __builtin_alloca((size_t)n * sizeof *room); /* a frame of unknown size */
    room[0] = x[0];
    room[1] = n;
    call(room);
    GO_ON;
}

APART void outer(double a, double b, double c, int n)
{
    double x[8] = {a, b, c, a * b, b * c, a * c, a + b, b + c};
    middle(inner, x, n);
    GO_ON;
}

APART void descend(int depth, double *x)
{
    double own[4] = {x[0] + depth, x[1]};
    if (depth > 0)
        descend(depth - 1, own);
    else
        hot(frames);
    GO_ON;
}

APART int compare(const void *a, const void *b)
{
    hot(frames);
    GO_ON;
    return *(const int *)a - *(const int *)b;
}

APART void sorted(void)
{
    int some[2] = {2, 1};
    qsort(some, 2, sizeof *some, compare);
    GO_ON;
}

APART void handler(int signal)
{
    (void)signal;
    hot(frames);
    GO_ON;
}

APART void raised(void)
{
    raise(SIGUSR1);
    GO_ON;
}

/* The kernel's own code in the program reads the clock. */
APART void timed(void)
{
    struct timespec t;
    for (int i = 0; i < 20000; i++) {
        clock_gettime(CLOCK_MONOTONIC, &t);
        sink = (double)t.tv_sec;
    }
}

int main(void)
{
    signal(SIGUSR1, handler);
    for (int i = 0; i < 200; i++) {
        outer(1, 2, 3, 32 + i % 3);
        descend(20, frames);
        sorted();
        raised();
        timed();
    }
    return 0;
}
