/* state.h: what all files of the library share: how it exports symbols, the handles of regions, and
 * Fortran's common block.
 */
#ifndef POMP_STATE_H
#define POMP_STATE_H

#include "../pomp_lib.h"

#define POMP_API __attribute__((visibility("default")))
/* A function that is called often begins a cache line. A short function is then fetched at once and
 * costs the same wherever the linker puts it. */
#define POMP_OFTEN POMP_API __attribute__((aligned(64)))

/* For functions that the entry points jump to. */
#define POMP_OUT_OF_LINE static __attribute__((noinline, aligned(32)))

/* The common block of every instrumented Fortran file; see units/fortran.c. Without the library,
 * the block is all zeros. */
extern struct pomp_fortran_block {
    volatile intptr_t wanted; /* 1: events are wanted. It is 1 until the first event shows whether
                                 anything is measured. Dispatchers test it */
    void (*event)(int what, intptr_t *slot, const char *text, void *more, void *last);
    int64_t (*bounds)(int loop, int64_t first, int64_t last, int64_t by, int64_t what);
    void (*user)(const void *variable);
    volatile intptr_t detailed; /* 1: details are wanted; -1: loop bounds too. Compilers take a
                                   negative value for unlikely */
    void (*control)(int what);  /* called even while events are not wanted */
    intptr_t spare[2];
} pomp_fortran_1 POMP_API;

#ifdef OPARI_SHARED
/* The block of a program to which the library is preloaded; null where the program has no block but
 * the library's. */
static struct pomp_fortran_block *pomp_fortran_program;
#endif

#define POMP_MERGED ((void *)1) /* the handle of a merged region; see gomp/parallel.c */
#define POMP_IS_MERGED(data) ((uintptr_t)(data) - 1 < 4) /* data is data[2] of a region */
#define POMP_MERGED_TEAM_BARRIER \
    ((void *)1) /* in data[2]: the region has made no tasks; see entry/team_barrier.c */
#define POMP_MERGED_NEW ((void *)2) /* in data[2]: whether it makes tasks is not known yet */
#define POMP_MERGED_TASKS ((void *)4)
#define POMP_MERGED_IN_TEXT \
    ((void *)8) /* in data[2]: a region in Fortran's text, which has no handle and enters the last \
                   barrier itself. This value stays */
#define POMP_REDIRECTED ((void *)1) /* in data[3]; see entry/target.c */
#define POMP_NOT_REDIRECTED ((void *)2)

static int pomp_fortran_used; /* an instrumented Fortran file has had an event */

/* Whether the library is between the program and its runtime. The shared library finds that out
 * when it meets an instrumented object: runtime/redirect.c. */
#ifdef OPARI_SHARED
static int pomp_redirects;
#define POMP_BETWEEN OPARI_LOAD(&pomp_redirects)
#elif defined POMP_INTERPOSE
#define POMP_BETWEEN 1
#else
#define POMP_BETWEEN 0
#endif

#endif
