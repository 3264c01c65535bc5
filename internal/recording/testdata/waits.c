/* waits.c: a program that still runs when its recording is looked at, and a child of it. Without an
 * argument both have done one region and wait for the end of the input; with "spin" the first goes
 * through the region until then. They say their numbers, and when they have recorded something. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long sum;

static void region(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(gate)
        sum++;
    }
}

static int ended(int ms)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    return poll(&input, 1, ms) > 0;
}

int main(int argc, char **argv)
{
    int spins = argc > 1 && strcmp(argv[1], "spin") == 0;
    if (!spins && fork() == 0) {
#pragma pomp inst begin(child)
        sum++;
#pragma pomp inst end(child)
        printf("%d\n", (int)getpid());
        fflush(stdout);
        while (!ended(-1))
            ;
        return 0;
    }
    for (int i = 0; i < (spins ? 20000 : 1); i++)
        region();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    while (!ended(spins ? 0 : -1))
        region();
    while (!spins && wait(NULL) > 0)
        ;
    return 0;
}
