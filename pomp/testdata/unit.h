/* unit.h: instrumented by hand: what the rewriter's prologue and edits give a unit, for the library's own tests. A region's number is
 * its line in the profile.
 */
#ifndef UNIT_H
#define UNIT_H

#include "pomp_lib.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POMP_X(name, type, kind) extern void POMP_##name##_##type(struct ompregdescr *) __attribute__((weak));
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X
extern void *POMP_Parallel_fork(struct ompregdescr *, int, int) __attribute__((weak));
extern void POMP_Parallel_begin(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Parallel_end(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Parallel_join(struct ompregdescr *, void *) __attribute__((weak));
extern void *POMP_Task_create_begin(struct ompregdescr *, int) __attribute__((weak));
extern void POMP_Task_begin(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Task_end(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Task_create_end(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Begin(struct ompregdescr *, const void *) __attribute__((weak));
extern void POMP_End(struct ompregdescr *, const void *) __attribute__((weak));
extern void POMP_Init_lock(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Init_nest_lock(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Set_lock(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Unset_lock(struct ompregdescr *, void *) __attribute__((weak));
extern int POMP_Test_lock(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Set_nest_lock(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_Unset_nest_lock(struct ompregdescr *, void *) __attribute__((weak));
extern int POMP_Test_nest_lock(struct ompregdescr *, void *) __attribute__((weak));
extern void POMP_On(void) __attribute__((weak));
extern void POMP_Off(void) __attribute__((weak));
extern void POMP_Init(void) __attribute__((weak));
extern void POMP_Finalize(void) __attribute__((weak));
extern void pomp_unit_1(struct pomp_unit *) __attribute__((weak));

#define REGION_FULL(number, KIND, text, sub, has, out)                                                                         \
    [(number)-1] = {text, sub, 0, __FILE__, number, number, number, number, {0, 0, 0, 0}, 0, text, POMP_KIND_##KIND, has, 0, 0, out}
#define REGION(number, KIND, text) REGION_FULL(number, KIND, text, "", 0, 0)

/* Locks are initialised by no region that is counted. */
#define INIT_LOCK(NAME, routine, lock)                                                                                         \
    if (pomp_unit.active)                                                                                                      \
        POMP_##NAME(0, lock);                                                                                                  \
    else                                                                                                                       \
        routine(lock)

#define UNIT(...)                                                                                                              \
    static struct ompregdescr pomp_d[] = {__VA_ARGS__};                                                                        \
    static struct pomp_unit pomp_unit = {1, sizeof pomp_d / sizeof pomp_d[0], pomp_d, 0, 0};                                   \
    static __attribute__((constructor, destructor)) void pomp_unit_hook(void)                                                  \
    {                                                                                                                          \
        if (pomp_unit_1)                                                                                                       \
            pomp_unit_1(&pomp_unit);                                                                                           \
    }

#define D(r) (&pomp_d[(r)-1])
#define ON (pomp_unit.active)
#define EVENT(name, r)                                                                                                         \
    do {                                                                                                                       \
        if (ON)                                                                                                                \
            POMP_##name(D(r));                                                                                                 \
    } while (0)
#define FORK(h, r, n) void *h = ON ? POMP_Parallel_fork(D(r), 1, n) : (void *)0
#define WITH(name, r, h)                                                                                                       \
    do {                                                                                                                       \
        if (h)                                                                                                                 \
            POMP_##name(D(r), h);                                                                                              \
    } while (0)
#define CREATE(h, r, iff) void *h = ON ? POMP_Task_create_begin(D(r), iff) : (void *)0
#define USER(name, r)                                                                                                          \
    do {                                                                                                                       \
        if (ON)                                                                                                                \
            POMP_##name(D(r), 0);                                                                                              \
    } while (0)

/* The tests' delays: at least this long. */
static inline void ms(int n)
{
    struct timespec t = {n / 1000, (long)(n % 1000) * 1000000};
    while (nanosleep(&t, &t) != 0)
        ;
}

#endif
