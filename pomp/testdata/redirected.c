/* redirected.c: whether an object with a unit calls the runtime itself: prints the number of its routines that it does not. */
#define _GNU_SOURCE 1
#include "pomp_lib.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

static struct ompregdescr region[1];
static struct pomp_unit unit = {POMP_ABI_1, 1, region, 0, NULL};

extern void GOMP_barrier(void);
extern void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);

#pragma weak pomp_unit_1
static void print(void)
{
    if (pomp_unit_1 != NULL)
        pomp_unit_1(&unit);
}

__attribute__((constructor)) static void begin(void) { print(); }
__attribute__((destructor)) static void end(void) { print(); }

int main(void)
{
    void *volatile calls[] = {(void *)GOMP_barrier, (void *)GOMP_parallel, (void *)omp_fulfill_event};
    static const char *const names[] = {"GOMP_barrier", "GOMP_parallel", "omp_fulfill_event"};
    int led = 0;
    for (int i = 0; i < 3; i++)
        led += calls[i] != dlsym(RTLD_DEFAULT, names[i]);
    printf("%d\n", led);
    return 0;
}
