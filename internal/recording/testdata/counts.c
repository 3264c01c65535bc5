/* counts.c: every kind of region, a known number of times. Argument: rounds; then how the program ends. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long sum, guarded, named, counted, locked;
static omp_lock_t lock;

static void round_of_all(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += i;
#pragma omp for nowait
        for (int i = 0; i < 10; i++)
            ;
#pragma omp sections
        {
#pragma omp section
            ;
#pragma omp section
            ;
#pragma omp section
            ;
        }
#pragma omp critical(gate)
        named++;
#pragma omp critical
        guarded++;
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp single
        {
            for (int i = 0; i < 4; i++) {
#pragma omp task
                ;
            }
#pragma omp taskwait
        }
#pragma omp master
        ;
#pragma omp atomic
        counted++;
    }
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
        }
    }
}

static void user(void)
{
#pragma pomp inst begin(mine)
    sum++;
#pragma pomp inst end(mine)
}

static void end_inside(const char *how)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(end)
        {
            if (strcmp(how, "kill") == 0)
                kill(getpid(), SIGKILL);
            else if (strcmp(how, "abort") == 0)
                abort();
            else if (strcmp(how, "segv") == 0)
                raise(SIGSEGV);
            else if (strcmp(how, "_exit") == 0)
                _exit(7);
            else
                exit(7);
        }
    }
}

static int forked(int rounds)
{
    int status = 0;
#pragma pomp inst begin(around)
    pid_t pid = fork();
    if (pid == 0)
        user();
#pragma pomp inst end(around)
    if (pid == 0) {
        for (int i = 0; i < rounds; i++)
            user();
        exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}

int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]);
    omp_init_lock(&lock);
    omp_set_max_active_levels(2);
    for (int i = 0; i < rounds; i++) {
        round_of_all();
        user();
    }
    nested();
    if (guarded + named + counted != 6L * rounds || locked != 2L * rounds)
        return 1;
    if (argc > 2 && strcmp(argv[2], "fork") == 0)
        return forked(rounds) != 0;
    if (argc > 2 && strcmp(argv[2], "exec") == 0) {
        execl(argv[0], argv[0], "1", (char *)NULL);
        return 2;
    }
    if (argc > 2)
        end_inside(argv[2]);
    return 0;
}
