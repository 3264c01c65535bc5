/* state.c: whether anything is measured. */
#include "state.h"

#include <pthread.h>

static struct pomp_unit
    pomp_no_unit; /* ends the list, so that next is null only in a unit that is not listed */

static struct {
    pthread_mutex_t lock;
    struct pomp_unit *units;
    /* Units that stay inactive. A user's tool gets their events from a runtime of their own, or
     * their runtime is hidden from the library, and with it their locks. */
    struct pomp_unit *inactive;
    int started; /* the environment has been read, and the bridge has started if it is wanted */
    int wanted; /* the environment asks for measuring. This field, off and finished are read without
                   the lock */
    int needed; /* the environment asks for measuring even without a user's tool */
    enum {
        POMP_NO_TOOL,
        POMP_TOOL_WAITS,
        POMP_TOOL_STARTS
    } tool;       /* the state of the user's tool before it has started */
    int merges;   /* units merge calls; read without the lock */
    int rates;    /* functions may be switched off; read without the lock */
    int passive;  /* waiting threads sleep: OpenMP 5.2 [21.3] */
    int off;      /* between POMP_Off() and POMP_On() */
    int finished; /* after POMP_Finalize(), or at the end of the process */
} pomp = {
    PTHREAD_MUTEX_INITIALIZER, &pomp_no_unit, &pomp_no_unit, 0, 0, 0, POMP_NO_TOOL, 0, 0, 0, 0, 0};

OPARI_INLINE int pomp_measures(void)
{
    return OPARI_LOAD(&pomp.wanted) && !OPARI_LOAD(&pomp.off) && !OPARI_LOAD(&pomp.finished);
}

static int pomp_is_active(void) { return pomp_measures(); }

/* Returns whether the interposed routines see each fork, so that they can raise the begin before
 * the team's threads start. LLVM's runtime has other entries as well. There the begin would come
 * from the program's call in the region, when other threads may have begun already. */
#if defined POMP_INTERPOSE && !defined OPARI_SHARED
extern void __kmpc_fork_call(void) __attribute__((weak));
static OPARI_COLD int pomp_sees_forks(void) { return __kmpc_fork_call == NULL; }
#else
static OPARI_COLD int pomp_sees_forks(void) { return POMP_BETWEEN; }
#endif
