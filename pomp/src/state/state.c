/* state.c: whether anything is measured. */
#include "state.h"

#include <pthread.h>

static struct pomp_unit
    pomp_no_unit; /* ends the list, so that next is null in a unit that is not in it */

static struct {
    pthread_mutex_t lock;
    struct pomp_unit *units;
    /* Those that are not active: a user's tool gets their events from a runtime of their own, or
     * theirs is hidden from us, and with it their locks. */
    struct pomp_unit *inactive;
    int started; /* the environment has been read and the bridge started, if it is to */
    int wanted;  /* the environment asks for measuring; read without the lock, as are off and
                    finished */
    int needed;  /* it does so whether there is a user's tool or not */
    enum {
        POMP_NO_TOOL,
        POMP_TOOL_WAITS,
        POMP_TOOL_STARTS
    } tool;       /* the user's, until it is started */
    int joins;    /* calls are joined; read without the lock */
    int passive;  /* threads that wait do so asleep: OpenMP 5.2 [21.3] */
    int off;      /* pomp_off() */
    int finished; /* pomp_finalize(), or the end of the process */
} pomp = {
    PTHREAD_MUTEX_INITIALIZER, &pomp_no_unit, &pomp_no_unit, 0, 0, 0, POMP_NO_TOOL, 0, 0, 0, 0};

OPARI_INLINE int pomp_measures(void)
{
    return OPARI_LOAD(&pomp.wanted) && !OPARI_LOAD(&pomp.off) && !OPARI_LOAD(&pomp.finished);
}

static int pomp_is_active(void) { return pomp_measures(); }

/* Whether what stands before the runtime sees that the program forks, and so can raise it then, in
 * front of the team's threads. LLVM's runtime is also entered elsewhere: left to the program's call
 * in the region, the begin would come when other threads may have begun. */
#if defined POMP_INTERPOSE && !defined OPARI_SHARED
extern void __kmpc_fork_call(void) __attribute__((weak));
static OPARI_COLD int pomp_sees_forks(void) { return __kmpc_fork_call == NULL; }
#else
static OPARI_COLD int pomp_sees_forks(void) { return POMP_BETWEEN; }
#endif
