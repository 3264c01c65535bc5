/* parallel_loop.c: parallel regions whose loop the runtime distributes: those of a composite
 * construct, and those that were not split.
 */
#include "../state/state.h"

static uint64_t pomp_iterations(long begin, long end, long step)
{
    const uint64_t by = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    if (step == 0 || (step > 0 ? begin >= end : begin <= end))
        return 0;
    const uint64_t span =
        step > 0 ? (uint64_t)end - (uint64_t)begin : (uint64_t)begin - (uint64_t)end;
    return span / by + (span % by != 0);
}

/* Where the runtime distributes the loop, it gets the loop together with the region. This is the
 * loop of a composite construct, or of a parallel for that was not split. */
#define POMP_MAKES(name, form) \
    typedef void (*pomp_##name##_t)(POMP_##form##_PARAMETERS); \
    POMP_GOMP void name(POMP_##form##_PARAMETERS); \
    POMP_GOMP void name(POMP_##form##_PARAMETERS) \
    { \
        POMP_NEXT(name); \
        struct pomp_composite c = {fn, data, NULL, NULL, 0, begin, step}; \
        if (OPARI_LIKELY(!pomp_routine_has_work())) { \
            next(fn, data, POMP_##form##_ARGUMENTS); \
        } else if (pomp_has_forked()) { \
            struct opari_parallel *p = pomp_team_begin(fn, data, threads, POMP_FRAME); \
            next(pomp_team_run, p, POMP_##form##_ARGUMENTS); \
        } else if (pomp_composite_begin(&c, threads, POMP_CALLER, POMP_FRAME)) { \
            c.count = pomp_iterations(begin, end, step); \
            next(pomp_composite_run, &c, POMP_##form##_ARGUMENTS); \
            pomp_composite_end(&c); \
        } else { \
            next(fn, data, POMP_##form##_ARGUMENTS); \
        } \
    }

#define POMP_dealt_PARAMETERS \
    void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step, long size, \
        unsigned flags
#define POMP_dealt_ARGUMENTS threads, begin, end, step, size, flags
POMP_MAKES(GOMP_parallel_loop_static, dealt)
POMP_MAKES(GOMP_parallel_loop_dynamic, dealt)
POMP_MAKES(GOMP_parallel_loop_guided, dealt)
POMP_MAKES(GOMP_parallel_loop_nonmonotonic_dynamic, dealt)
POMP_MAKES(GOMP_parallel_loop_nonmonotonic_guided, dealt)

#define POMP_as_set_PARAMETERS \
    void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step, \
        unsigned flags
#define POMP_as_set_ARGUMENTS threads, begin, end, step, flags
POMP_MAKES(GOMP_parallel_loop_runtime, as_set)
POMP_MAKES(GOMP_parallel_loop_nonmonotonic_runtime, as_set)
POMP_MAKES(GOMP_parallel_loop_maybe_nonmonotonic_runtime, as_set)
