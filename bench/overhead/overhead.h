/* Overhead per OpenMP construct, after the EPCC microbenchmarks: a construct is repeated inside a function that is timed from
 * outside, and the time of the same loop without the construct is subtracted. constructs.c is what gets instrumented; main.c
 * never is. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

typedef void kernel(long repetitions);

/* X(name, reference): the kernel k_name, and what it is compared with. */
#define FOREACH_KERNEL(X) \
    X(parallel, serial) X(parallel_for, serial) X(reduction, serial) X(for_static, team) X(for_nowait, team) X(for_dynamic, team) \
    X(sections, team) X(single, team) X(single_nowait, team) X(barrier, team) X(master, team) X(critical, team) \
    X(critical_named, team) X(atomic, team) X(lock, team) X(nest_lock, team) X(flush, team) X(ordered, serial) \
    X(task, team) X(taskwait, team)

#define X(name, reference) extern kernel k_##name;
FOREACH_KERNEL(X)
#undef X
extern kernel r_serial, r_team;

/* work keeps an empty loop alive. */
static inline void work(void) { __asm__ volatile("" ::: "memory"); }

/* longer takes the time of half of overhead_delay rounds in the program that shows what a longer way from one lock to the next costs
 * by itself, without any measurement; in all others it is nothing. */
#ifdef OVERHEAD_DELAY
extern long overhead_delay;
static inline void longer(void)
{
    for (long i = overhead_delay / 2; i > 0; i--)
        __asm__ volatile("" : "+r"(i));
}
#else
static inline void longer(void) {}
#endif

#endif
