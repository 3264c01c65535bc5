/* team_barrier.c: the library's own barrier at the end of a merged parallel region.
 *
 * When the runtime's last barrier releases a worker, nothing shows it before the worker's next
 * region. So the threads meet before that barrier, and a worker's wait ends when all have arrived.
 * Another barrier of the runtime in every region would cost half as much as the region, including a
 * system call. Where a region is known to make no tasks, and each thread has a processor, the
 * threads use a word of the team instead. Each thread adds one to it. The encountering thread goes
 * on at once, because it knows when the runtime's barrier has ended; the workers wait for the word.
 *
 * If a task is made all the same, a thread that waited for the word would not execute it. Then
 * nobody waits here. The workers' waits end at their next event, as without a barrier, and the
 * region uses the runtime's barrier from then on. As to tasks, the word is only a hint: missing one
 * affects only the times. Missing an arrival would be a deadlock. Every thread that has entered
 * therefore arrives, whatever the library knows about it.
 */
#include "../state/state.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    POMP_ARRIVALS = (1 << 24) - 1,
    POMP_ARRIVAL_SLEEPS = 1 << 24, /* the last thread to arrive must wake some thread */
    POMP_ARRIVAL_TASKS = 1 << 25,
    POMP_ARRIVAL_BARRIER = 1 << 26 /* set from the fork on: the threads meet by this word */
};

/* The operations of futex(2) that linux/futex.h names FUTEX_WAIT_PRIVATE and FUTEX_WAKE_PRIVATE.
 * A system with musl may lack that header. */
enum { POMP_FUTEX_WAIT = 128, POMP_FUTEX_WAKE = 129 };

extern int omp_get_num_procs(void) __attribute__((weak));

#ifdef __x86_64__
#define POMP_RELAX() __builtin_ia32_pause()
#elif defined __aarch64__
#define POMP_RELAX() __asm__ volatile("yield" : : : "memory")
#else
#define POMP_RELAX() __asm__ volatile("" : : : "memory")
#endif

/* Preserves errno for the program. */
static OPARI_COLD void pomp_team_futex(unsigned *word, int what, unsigned value)
{
    const int saved = errno;
    (void)syscall(SYS_futex, word, what, value, NULL, NULL, 0);
    errno = saved;
}

/* 0: not queried yet. */
static int pomp_processors;
static OPARI_COLD int pomp_ask_processors(void)
{
    const int n = omp_get_num_procs != NULL ? omp_get_num_procs() : 1;
    OPARI_STORE(&pomp_processors, n);
    return n;
}

/* Returns whether each thread of a team has a processor. */
OPARI_INLINE int pomp_team_fits(unsigned size)
{
    int n = OPARI_LOAD(&pomp_processors);
    if (OPARI_UNLIKELY(n == 0))
        n = pomp_ask_processors();
    return (int)size <= n;
}

/* Returns how often a thread checks before it sleeps; the runtime does the same. */
OPARI_INLINE int pomp_team_spins(unsigned size)
{
    enum { POMP_LONG = 300000, POMP_SHORT = 1000 };
    return pomp.passive ? 0 : pomp_team_fits(size) ? POMP_LONG : POMP_SHORT;
}

/* Waits until all have arrived. Returns 0 if there are tasks. */
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
            pomp_team_futex(word, POMP_FUTEX_WAIT, v | POMP_ARRIVAL_SLEEPS);
    }
}

/* Spins first, since the others are usually near. */
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

/* Records that the calling thread of a team of the given size has arrived; it then waits for the
 * others if waits is set. Returns whether all are known to have arrived with no task left. */
OPARI_INLINE int pomp_team_arrive(struct opari_parallel *p, unsigned size, int waits)
{
    const unsigned v = __atomic_add_fetch(&p->arrivals, 1, __ATOMIC_ACQ_REL);
    if ((v & POMP_ARRIVALS) == size) {
        if (OPARI_UNLIKELY((v & POMP_ARRIVAL_SLEEPS) != 0))
            pomp_team_futex(&p->arrivals, POMP_FUTEX_WAKE, INT_MAX);
        return (v & POMP_ARRIVAL_TASKS) == 0;
    }
    return waits && pomp_team_wait(&p->arrivals, size);
}

/* Returns whether the word of the calling thread's team says that there are tasks. */
OPARI_INLINE int pomp_team_has_tasks(const struct opari_thread *t)
{
    return !opari_is_ready(t) ||
           OPARI_LIKELY((OPARI_LOAD(&t->task->parallel->arrivals) & POMP_ARRIVAL_TASKS) != 0);
}

/* Runs before a routine of the runtime that makes tasks. */
static OPARI_COLD void pomp_team_gets_tasks(void)
{
    const struct opari_thread *t = opari_here;
    if (pomp_team_has_tasks(t))
        return;
    unsigned *word = &t->task->parallel->arrivals;
    if ((__atomic_fetch_or(word, (unsigned)POMP_ARRIVAL_TASKS, __ATOMIC_RELEASE) &
         POMP_ARRIVAL_SLEEPS) != 0)
        pomp_team_futex(word, POMP_FUTEX_WAKE, INT_MAX);
}

/* Runs when region d is forked. */
OPARI_INLINE void pomp_team_barrier_begin(const struct ompregdescr *d, struct opari_parallel *p)
{
    OPARI_STORE(&p->arrivals, (unsigned)(uintptr_t)OPARI_LOAD(&d->data[2]) * POMP_ARRIVAL_BARRIER);
}

OPARI_INLINE int pomp_uses_team_barrier(const struct opari_parallel *p)
{
    return (OPARI_LOAD(&p->arrivals) & POMP_ARRIVAL_BARRIER) != 0;
}

/* Decides how the threads of region d meet next time, after all threads of a team have met. Where
 * threads share processors, the runtime's barrier is as fast. */
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
