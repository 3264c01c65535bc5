/* state.h: what all files of the library know: how it exports, the handles of regions, Fortran's
 * common block. */
#ifndef POMP_STATE_H
#define POMP_STATE_H

#include "../pomp_lib.h"

#define POMP_API __attribute__((visibility("default")))
/* What is called often begins a line of the cache: a short function is read at once then, and costs
 * the same wherever the linker puts it. */
#define POMP_OFTEN POMP_API __attribute__((aligned(64)))

/* What these jump to. */
#define POMP_BESIDE static __attribute__((noinline, aligned(32)))

/* The common block of every instrumented Fortran file; see units/fortran.c. Where it is not the
 * library's, it is full of zeros. */
extern struct pomp_fortran_block {
    volatile intptr_t wanted; /* 1: events are; they are until the first one shows whether anything
                                 is measured. A dispatcher tests it */
    void (*event)(int what, intptr_t *slot, const char *text, const void *dispatcher);
    int64_t (*bounds)(int loop, int64_t first, int64_t last, int64_t by, int64_t what);
    void (*user)(const void *variable);
    volatile intptr_t detailed; /* whether events are: 1; bounds with them: -1, which compilers take
                                   for unlikely */
    void (*control)(int what);  /* also while events are not wanted */
    intptr_t spare[2];
} pomp_fortran_1 POMP_API;

#ifdef OPARI_SHARED
/* The block of a program that the library is preloaded to. It is null where the program has no
 * other than the library's. */
static struct pomp_fortran_block *pomp_fortran_program;
#endif

#define POMP_MERGED ((void *)1) /* the handle of a merged region: see gomp/parallel.c */
#define POMP_IS_MERGED(data) ((uintptr_t)(data) - 1 < 4) /* by data[2] of a region */
#define POMP_MERGED_TEAM_BARRIER \
    ((void *)1)                     /* in data[2]: it has made no tasks: see entry/team_barrier.c */
#define POMP_MERGED_NEW ((void *)2) /* that is not known yet */
#define POMP_MERGED_TASKS ((void *)4)
#define POMP_MERGED_IN_TEXT \
    ((void *)8) /* in data[2]: of Fortran's text, which knows no handle and meets the last barrier \
                   itself; stays */
#define POMP_REDIRECTED ((void *)1) /* in data[3]: see entry/target.c */
#define POMP_NOT_REDIRECTED ((void *)2)

static int pomp_fortran_there; /* an instrumented Fortran file has had an event */

/* Whether the library stands between the program and its runtime. In the shared one that shows when
 * it meets what is instrumented: runtime/redirect.c. */
#ifdef OPARI_SHARED
static int pomp_redirects;
#define POMP_BETWEEN OPARI_LOAD(&pomp_redirects)
#elif defined POMP_INTERPOSE
#define POMP_BETWEEN 1
#else
#define POMP_BETWEEN 0
#endif

#endif
