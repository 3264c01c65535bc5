/* Overhead per OpenMP construct, after the EPCC microbenchmarks: a construct is repeated inside a
 * function that is timed from outside, and the time of the same loop without the construct is
 * subtracted. constructs.c is what gets instrumented; main.c never is. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include <omp.h>

typedef void kernel(long repetitions);

/* X(name, reference): the kernel k_name, and what it is compared with. */
/* clang-format off */
#define FOREACH_KERNEL(X) \
    X(parallel, serial) \
    X(parallel_for, serial) \
    X(reduction, serial) \
    X(for_static, team) \
    X(for_nowait, team) \
    X(for_dynamic, team) \
    X(sections, team) \
    X(single, team) \
    X(single_nowait, team) \
    X(barrier, team) \
    X(master, team) \
    X(critical, team) \
    X(critical_named, team) \
    X(atomic, team) \
    X(lock, team) \
    X(nest_lock, team) \
    X(flush, team) \
    X(ordered, serial) \
    X(task, team) \
    X(taskwait, team)
/* clang-format on */

#define X(name, reference) extern kernel k_##name;
FOREACH_KERNEL(X)
#undef X
extern kernel r_serial, r_team;

/* work keeps an empty loop alive. */
static inline void work(void) { __asm__ volatile("" ::: "memory"); }

/* Locks in cache lines of their own (and the lines that are fetched with them): in that of the main
 * thread's frames every call of its would take them from the other thread, or not, by where the
 * stack begins. */
struct locks {
    _Alignas(128) omp_lock_t plain;
    _Alignas(128) omp_nest_lock_t nest;
    _Alignas(128) char behind;
};

/* Where each thread has locks of its own (OVERHEAD_OWN), nobody waits: what events add with two
 * threads beyond one is what they share. */
#ifdef OVERHEAD_OWN
#define EACH_THREAD _Pragma("omp parallel")
#else
#define EACH_THREAD
#endif

/* longer takes the time of half of overhead_delay rounds in the programs that show what a longer
 * way from one lock to the next costs by itself, without any measurement; in all others it is
 * nothing. apart, outside of the lock, takes overhead_apart rounds more. */
#ifdef OVERHEAD_DELAY
extern long overhead_delay, overhead_apart;
extern void rounds(long n);
static inline void longer(void) { rounds(overhead_delay / 2); }
static inline void apart(void) { rounds(overhead_delay / 2 + overhead_apart); }
#else
static inline void longer(void) {}
static inline void apart(void) {}
#endif

#endif
