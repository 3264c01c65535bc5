/* A runtime that takes 1 us longer to hand out a chunk, as GCC's does where many threads ask at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

_Bool GOMP_loop_nonmonotonic_dynamic_next(long *from, long *to)
{
    static _Bool (*next)(long *, long *);
    if (next == 0)
        next = (_Bool(*)(long *, long *))dlsym(RTLD_NEXT, "GOMP_loop_nonmonotonic_dynamic_next");
    const int64_t end = now() + 1000;
    while (now() < end)
        ;
    return next(from, to);
}
