/* Functions that may be switched off, on plain threads, for ThreadSanitizer. The program counts its own entries: as many must be
 * recorded. It writes the entries of each function into the file that its argument names. */
#include "unit.h"

#include <pthread.h>

extern void POMP_Function_begin(struct ompregdescr *) __attribute__((weak));
extern void POMP_Function_end(struct ompregdescr *) __attribute__((weak));

enum { TINY = 1, DEEP, LONG, LEFT, THREADS = 4, CALLS = 20000, LONG_CALLS = 400, LEAST = 200000 };

#define FUNCTION(number, name) REGION_FULL(number, REGION, "function", name, 0, 0)
UNIT(FUNCTION(TINY, "tiny"), FUNCTION(DEEP, "deep"), FUNCTION(LONG, "long"), FUNCTION(LEFT, "left"))

static long entries[LEFT + 1];

/* As rewrite/function.go has it. */
static int enter(int r)
{
    if ((__atomic_load_n(&pomp_unit.active, 0) & 128) == 0 || __atomic_load_n(&pomp_d[r - 1].data[2], 0) != NULL)
        return 0;
    POMP_Function_begin(pomp_d + (r - 1));
    (void)__atomic_fetch_add(&entries[r], 1, __ATOMIC_RELAXED);
    return -r;
}

static void leave(int in)
{
    if (in < 0)
        POMP_Function_end(pomp_d + (-in - 1));
}

static void tiny(void) { leave(enter(TINY)); }

/* Recursion: 2^(n+1)-1 calls, and far more time in the outer ones. */
static void deep(int n)
{
    const int in = enter(DEEP);
    if (n > 0) {
        deep(n - 1);
        deep(n - 1);
    }
    leave(in);
}

static long now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* It takes long in itself, and calls what is switched off meanwhile. */
static void longer(void)
{
    const int in = enter(LONG);
    for (const long end = now() + LEAST; now() < end;)
        tiny();
    leave(in);
}

/* As after a longjmp: the inner region has no end of its own, and the outer one's ends it. */
static void left(void)
{
    const int in = enter(LEFT);
    (void)enter(TINY);
    leave(in);
}

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < LONG_CALLS; i++)
        longer();
    deep(13);
    for (int i = 0; i < CALLS; i++) {
        tiny();
        left();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    FILE *f = fopen(argc > 1 ? argv[1] : "", "w");
    if (f == NULL)
        return 2;
    for (int r = TINY; r <= LEFT; r++)
        fprintf(f, "%ld ", entries[r]);
    return fclose(f) != 0;
}
