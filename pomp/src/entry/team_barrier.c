/* team_barrier.c: the library's own barrier at the end of a merged parallel region.
 *
 * That the runtime's last barrier lets a worker go shows nowhere before the worker's next region.
 * So the threads meet before it, and a worker's wait ends when all have arrived. That need not be
 * another barrier of the runtime's in every region: it costs half as much as the region, a call of
 * the system among it. Where a region has been seen to make no tasks, and each thread has a
 * processor, it is a word of the team's, to which each thread adds one. The encountering thread
 * goes on at once, for it knows when the runtime's barrier has ended; the workers wait for the
 * word.
 *
 * Where a task is made all the same, a thread that waited for the word would not execute it. Then
 * nobody waits here: workers' waits end at their next event, as where there is no barrier, and from
 * then on the region has the runtime's. The word is a hint as to tasks: to miss one does no harm
 * but to the times. To miss an arrival would be a deadlock, so every thread that has entered
 * arrives, whatever is known of it.
 */
#include "../state/state.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    POMP_ARRIVALS = (1 << 24) - 1,
    POMP_ARRIVAL_SLEEPS = 1 << 24, /* some thread is to be woken by the last one */
    POMP_ARRIVAL_TASKS = 1 << 25,
    POMP_ARRIVAL_BARRIER = 1 << 26 /* from the fork on: that is how they meet */
};

extern int omp_get_num_procs(void) __attribute__((weak));

#if defined __x86_64__ || defined __i386__
#define POMP_RELAX() __builtin_ia32_pause()
#elif defined __aarch64__
#define POMP_RELAX() __asm__ volatile("yield" : : : "memory")
#else
#define POMP_RELAX() __asm__ volatile("" : : : "memory")
#endif

/* errno is the program's. */
static OPARI_COLD void pomp_team_futex(unsigned *word, int what, unsigned value)
{
    const int saved = errno;
    (void)syscall(SYS_futex, word, what, value, NULL, NULL, 0);
    errno = saved;
}

/* 0: not asked yet. */
static int pomp_processors;
static OPARI_COLD int pomp_ask_processors(void)
{
    const int n = omp_get_num_procs != NULL ? omp_get_num_procs() : 1;
    OPARI_STORE(&pomp_processors, n);
    return n;
}

/* Whether each thread of a team has a processor. */
OPARI_INLINE int pomp_team_fits(unsigned size)
{
    int n = OPARI_LOAD(&pomp_processors);
    if (OPARI_UNLIKELY(n == 0))
        n = pomp_ask_processors();
    return (int)size <= n;
}

/* How often a thread looks before it sleeps, as the runtime does it. */
OPARI_INLINE int pomp_team_spins(unsigned size)
{
    enum { POMP_LONG = 300000, POMP_SHORT = 1000 };
    return pomp.passive ? 0 : pomp_team_fits(size) ? POMP_LONG : POMP_SHORT;
}

/* Waits until all have arrived; 0: there are tasks. */
static OPARI_COLD int pomp_team_sleep(unsigned *word, unsigned size)
{
    for (int left = pomp_team_spins(size);; left--) {
        unsigned v = OPARI_ACQUIRE(word);
        if ((v & POMP_ARRIVALS) == size || (v & POMP_ARRIVAL_TASKS) != 0)
            return (v & POMP_ARRIVAL_TASKS) == 0;
        if (left > 0)
            POMP_RELAX();
        else if ((v & POMP_ARRIVAL_SLEEPS) != 0 ||
                 __atomic_compare_exchange_n(word, &v, v | POMP_ARRIVAL_SLEEPS, 0, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED))
            pomp_team_futex(word, FUTEX_WAIT_PRIVATE, v | POMP_ARRIVAL_SLEEPS);
    }
}

/* As a rule the others are near. */
OPARI_INLINE int pomp_team_wait(unsigned *word, unsigned size)
{
    enum { POMP_NEAR = 100 };
    for (int left = POMP_NEAR; left > 0 && !pomp.passive; left--) {
        if (OPARI_ACQUIRE(word) == (size | POMP_ARRIVAL_BARRIER))
            return 1;
        POMP_RELAX();
    }
    return pomp_team_sleep(word, size);
}

/* The calling thread, of a team of that size, arrives, and waits for the others if it is to.
 * Returns whether it is known that all have arrived and that no task is left. */
OPARI_INLINE int pomp_team_arrive(struct opari_parallel *p, unsigned size, int waits)
{
    const unsigned v = __atomic_add_fetch(&p->arrivals, 1, __ATOMIC_ACQ_REL);
    if ((v & POMP_ARRIVALS) == size) {
        if (OPARI_UNLIKELY((v & POMP_ARRIVAL_SLEEPS) != 0))
            pomp_team_futex(&p->arrivals, FUTEX_WAKE_PRIVATE, INT_MAX);
        return (v & POMP_ARRIVAL_TASKS) == 0;
    }
    return waits && pomp_team_wait(&p->arrivals, size);
}

/* Whether the word of the calling thread's team says that there are tasks. */
OPARI_INLINE int pomp_team_has_tasks(const struct opari_thread *t)
{
    return !opari_is_ready(t) ||
           OPARI_LIKELY((OPARI_LOAD(&t->task->parallel->arrivals) & POMP_ARRIVAL_TASKS) != 0);
}

/* Before a routine of the runtime's that makes tasks. */
static OPARI_COLD void pomp_team_gets_tasks(void)
{
    const struct opari_thread *t = opari_here;
    if (pomp_team_has_tasks(t))
        return;
    unsigned *word = &t->task->parallel->arrivals;
    if ((__atomic_fetch_or(word, (unsigned)POMP_ARRIVAL_TASKS, __ATOMIC_RELEASE) &
         POMP_ARRIVAL_SLEEPS) != 0)
        pomp_team_futex(word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

/* Region d is forked. */
OPARI_INLINE void pomp_team_barrier_begin(const struct ompregdescr *d, struct opari_parallel *p)
{
    OPARI_STORE(&p->arrivals, (unsigned)(uintptr_t)OPARI_LOAD(&d->data[2]) * POMP_ARRIVAL_BARRIER);
}

OPARI_INLINE int pomp_uses_team_barrier(const struct opari_parallel *p)
{
    return (OPARI_LOAD(&p->arrivals) & POMP_ARRIVAL_BARRIER) != 0;
}

/* All threads of a team of region d have met: how they do next time. Where threads share processors
 * the runtime's barrier is as fast. */
OPARI_INLINE void pomp_team_barrier_learn(struct ompregdescr *d, const struct opari_parallel *p)
{
    void *const now = OPARI_LOAD(&d->data[2]);
    void *const next = OPARI_UNLIKELY(now == POMP_MERGED_TASKS ||
                                      (OPARI_LOAD(&p->arrivals) & POMP_ARRIVAL_TASKS) != 0)
                           ? POMP_MERGED_TASKS
                       : OPARI_LIKELY(pomp_team_fits((unsigned)OPARI_LOAD(&p->size)))
                           ? POMP_MERGED_TEAM_BARRIER
                           : POMP_MERGED_NEW;
    if (OPARI_UNLIKELY(next != now) && POMP_IS_MERGED(now))
        OPARI_STORE(&d->data[2], next);
}
