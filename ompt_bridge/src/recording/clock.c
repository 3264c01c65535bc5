/* clock.c: time stamps. They come from the time stamp counter where it is invariant: 9 ns instead
 * of 21 for clock_gettime. When the profile is written, readings of both clocks at the start and at
 * the end convert ticks to ns. */
#include "../opari_ext.h"
#include "../platform/platform.h"

#include <time.h>

#if defined(__x86_64__) && !defined(OPARI_NO_TSC)
#include <cpuid.h>
#include <x86intrin.h>
#define REC_HAS_TSC 1
#endif

enum {
    REC_BATCH = 64, /* events that are timed together to find the cost of one */
    REC_BATCHES = 32
};

static struct {
    int tsc;
    uint64_t start_ticks, start_ns;
    double ns_per_tick;
    uint64_t cost; /* ticks of REC_BATCH events, for all recorders together; 0: unknown */
} rec_clock;

static uint64_t rec_clock_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

OPARI_INLINE uint64_t rec_now(void)
{
#ifdef REC_HAS_TSC
    if (OPARI_LIKELY(rec_clock.tsc))
        return __rdtsc();
#endif
    return rec_clock_ns();
}

/* Adds one recorder's part to the cost of an event. pair records two events of the calling thread,
 * in a region of the given number; regions is where the recorder looks for the region. The shortest
 * of several batches counts, because it met no page fault and no loss of the processor. Takes about
 * 20 us. */
static OPARI_COLD void rec_calibrate(const struct opari_regions **regions, uintptr_t number,
                                     void (*pair)(void))
{
    struct ompregdescr region = {.data = {(void *)number, NULL, NULL, (void *)number}};
    const struct opari_regions in = {.event = &region}, *own = *regions;
    uint64_t least = UINT64_MAX;
    *regions = &in;
    for (int batch = 0; batch < REC_BATCHES; batch++) {
        const uint64_t start = rec_now();
        for (int i = 0; i < REC_BATCH / 2; i++)
            pair();
        const uint64_t took = rec_now() - start;
        least = took < least ? took : least;
    }
    *regions = own;
    (void)__atomic_fetch_add(&rec_clock.cost, least, __ATOMIC_RELAXED);
}

static void rec_clock_start(void)
{
#ifdef REC_HAS_TSC
    unsigned a, b, c, d;
    rec_clock.tsc = __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#endif
    rec_clock.start_ns = rec_clock_ns();
    rec_clock.start_ticks = rec_now();
}

/* Determines the length of a tick from the run so far. It waits until the run has lasted 200 us,
 * because two readings of two clocks are some 50 ns apart. */
static void rec_clock_stop(void)
{
    rec_clock.ns_per_tick = 1;
    if (!rec_clock.tsc)
        return;
    uint64_t ns, ticks;
    do {
        ns = rec_clock_ns() - rec_clock.start_ns;
        ticks = rec_now() - rec_clock.start_ticks;
    } while (ns < 200000);
    if (ticks > 0)
        rec_clock.ns_per_tick = (double)ns / (double)ticks;
}

static uint64_t rec_ns(uint64_t ticks)
{
    return (uint64_t)((double)ticks * rec_clock.ns_per_tick + 0.5);
}
