/*
 * Does at once what a recorder inside of a process would have to survive: threads that exit at
 * once, forks, execs, code that is loaded and unloaded, a timer with SIGPROF of the program's own
 * and one of each thread. It counts its own signals, and says what each thread's time was.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int ticks, beats, begun;

static void tick(int signal)
{
    (void)signal;
    atomic_fetch_add(&ticks, 1);
}

static void beat(int signal)
{
    (void)signal;
    atomic_fetch_add(&beats, 1);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) double spin(double length)
{
    double sum = 0;
    for (double end = seconds(CLOCK_THREAD_CPUTIME_ID) + length;
         seconds(CLOCK_THREAD_CPUTIME_ID) < end;)
        for (int i = 1; i < 2000; i++)
            sum += 1.0 / i;
    return sum;
}

static void *shortly(void *unused)
{
    atomic_fetch_add(&begun, 1);
    return unused;
}

static void *threads(void *argument)
{
    for (int i = 0; i < 200; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, shortly, NULL) != 0)
            abort();
        pthread_join(t, NULL);
    }
    return argument;
}

static void *children(void *program)
{
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (i % 2 == 0)
                _exit(i);
            execl(program, "storm", "child", (char *)NULL);
            _exit(99);
        }
        int status = 0;
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
            WEXITSTATUS(status) != (i % 2 == 0 ? i : 7))
            abort();
    }
    return NULL;
}

static void *libraries(void *argument)
{
    for (int i = 0; i < 20; i++) {
        void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
        if (library == NULL)
            abort();
        dlclose(library);
    }
    return argument;
}

static void *timers(void *unused)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    timer_t timer;
    struct itimerspec every = {{0, 2000000}, {0, 2000000}};
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0 ||
        timer_settime(timer, 0, &every, NULL) != 0)
        abort();
    while (atomic_load(&beats) < 20)
        spin(0.01);
    timer_delete(timer);
    return unused;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return 7;
    struct sigaction on = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &on, NULL);
    on.sa_handler = beat;
    sigaction(SIGRTMIN, &on, NULL);
    struct itimerval every = {{0, 5000}, {0, 5000}};
    setitimer(ITIMER_PROF, &every, NULL);
    void *(*const all[])(void *) = {threads, children, libraries, timers};
    pthread_t running[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&running[i], NULL, all[i], argv[0]) != 0)
            abort();
    while (atomic_load(&ticks) < 20)
        spin(0.01);
    for (int i = 0; i < 4; i++)
        pthread_join(running[i], NULL);
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_PROF, &every, NULL);
    printf("begun %d ticks %d beats %d\n", atomic_load(&begun), atomic_load(&ticks),
           atomic_load(&beats));
    return 0;
}
