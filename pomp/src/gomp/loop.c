/* loop.c: the chunks of loops that GCC's runtime distributes; see interposed.c. The program
 * computes a static schedule itself, except where the loop is ordered or reduces over tasks. For
 * one without a size, chunks.c knows the result.
 */
#include "../state/state.h"

typedef unsigned long long pomp_ull;

/* Raises the chunk that the thread has asked for: the iterations from `from` until `to` is reached
 * or passed. A tool counts iterations from 0. first means that the thread has just met the loop,
 * which begins at origin and continues by step. A loop that was met while no tool got chunks raises
 * none. A step of 0 means that iterations depend on one another: the runtime numbers them from 0,
 * and origin is the number of loops. */
static OPARI_NOINLINE void pomp_chunk(int first, uint64_t origin, uint64_t step, int got,
                                      uint64_t from, uint64_t to)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_WORK && pomp_is_loop(e)) {
        if (first) {
            e->flags |= OPARI_ENTRY_ACQUIRED;
            e->of.loop.origin = origin;
            e->of.loop.step = (int64_t)step;
        }
        /* These are distances in the loop's direction, which may exceed the range of a signed
         * number. */
        const int up = e->of.loop.step >= 0, numbered = e->of.loop.step == 0;
        const uint64_t by = numbered ? 1
                            : up     ? (uint64_t)e->of.loop.step
                                     : 0 - (uint64_t)e->of.loop.step,
                       begin = numbered ? 0 : e->of.loop.origin;
        const uint64_t before = up ? from - begin : begin - from, span = up ? to - from : from - to;
        if (got && (e->flags & OPARI_ENTRY_ACQUIRED) != 0) {
            ompt_dispatch_chunk_t chunk = {before, span};
            if (by != 1)
                chunk = (ompt_dispatch_chunk_t){before / by, span / by + (span % by != 0)};
            opari_raise_dispatch(t, ompt_dispatch_ws_loop_chunk, (ompt_data_t){.ptr = &chunk});
        }
    }
    opari_event_end();
}

enum { POMP_DOACROSS = 2 /* value of first for a loop whose iterations depend on one another */ };

/* One function raises the event of a chunk for all routines with the same parameters (a form), so
 * that each routine is only a test and a jump. A loop may be started only for its reductions, and
 * then from is null. */
#define POMP_FORM(form, first, origin, step) \
    typedef _Bool (*pomp_##form##_t)(POMP_##form##_PARAMETERS); \
    enum { pomp_##form##_numbers = (first) == POMP_DOACROSS }; \
    static OPARI_NOINLINE _Bool pomp_deal_##form(POMP_##form##_PARAMETERS, pomp_##form##_t next) \
    { \
        struct opari_entry *e = pomp_dealt_loop(first, (uint64_t)(origin), (uint64_t)(step)); \
        const uint64_t began = pomp_dealt_from(e, first); \
        const _Bool got = next(POMP_##form##_ARGUMENTS); \
        const int known = got && from != NULL; \
        const uint64_t chunk = known ? (uint64_t)*from : 0, after = known ? (uint64_t)*to : 0; \
        if (OPARI_LIKELY(e != NULL)) \
            pomp_dealt_one(e, began, first, known, chunk, after); \
        if (OPARI_UNLIKELY(pomp_has_tool())) \
            pomp_chunk(first, (uint64_t)(origin), (uint64_t)(step), known, chunk, after); \
        return got; \
    }

#define POMP_DEALS_NOTING(name, form, note) \
    typedef pomp_##form##_t pomp_##name##_t; \
    POMP_GOMP _Bool name(POMP_##form##_PARAMETERS); \
    POMP_GOMP _Bool name(POMP_##form##_PARAMETERS) \
    { \
        POMP_NEXT(name); \
        note; \
        const int observed = \
            OPARI_LOAD(&opari_chunks_wanted) || \
            (pomp_##form##_numbers && opari_has_callback(ompt_callback_dependences)); \
        return OPARI_LIKELY(!observed) ? next(POMP_##form##_ARGUMENTS) \
                                       : pomp_deal_##form(POMP_##form##_ARGUMENTS, next); \
    }
#define POMP_DEALS(name, form) POMP_DEALS_NOTING(name, form, (void)0)

/* The number of numbers that identify an iteration for which others wait: at most POMP_LOOPS in all
 * loops so far, else at most POMP_MANY_LOOPS. */
enum { POMP_LOOPS = 8, POMP_MANY_LOOPS = 64 };
static int pomp_has_many_loops;

OPARI_INLINE void pomp_note_loops(unsigned loops)
{
    if (OPARI_UNLIKELY(loops > POMP_LOOPS))
        OPARI_STORE(&pomp_has_many_loops, 1);
}
#define POMP_DEALS_NUMBERED(name, form) POMP_DEALS_NOTING(name, form, pomp_note_loops(loops))

#define POMP_next_PARAMETERS long *from, long *to
#define POMP_next_ARGUMENTS from, to
POMP_FORM(next, 0, 0, 0)
#define POMP_ull_next_PARAMETERS pomp_ull *from, pomp_ull *to
#define POMP_ull_next_ARGUMENTS from, to
POMP_FORM(ull_next, 0, 0, 0)
#define POMP_DEALS_NEXT(kind) \
    POMP_DEALS(GOMP_loop_##kind##_next, next) \
    POMP_DEALS(GOMP_loop_ull_##kind##_next, ull_next)

#define POMP_chunks_PARAMETERS long begin, long end, long step, long size, long *from, long *to
#define POMP_chunks_ARGUMENTS begin, end, step, size, from, to
POMP_FORM(chunks, 1, begin, step)
#define POMP_ull_chunks_PARAMETERS \
    _Bool up, pomp_ull begin, pomp_ull end, pomp_ull step, pomp_ull size, pomp_ull *from, \
        pomp_ull *to
#define POMP_ull_chunks_ARGUMENTS up, begin, end, step, size, from, to
POMP_FORM(ull_chunks, 1, begin, step)
#define POMP_DEALS_chunks(kind) \
    POMP_DEALS(GOMP_loop_##kind##_start, chunks) \
    POMP_DEALS(GOMP_loop_ull_##kind##_start, ull_chunks) \
    POMP_DEALS_NEXT(kind)
POMP_DEALS_chunks(dynamic)
POMP_DEALS_chunks(guided)
POMP_DEALS_chunks(nonmonotonic_dynamic)
POMP_DEALS_chunks(nonmonotonic_guided)
POMP_DEALS_chunks(ordered_static)
POMP_DEALS_chunks(ordered_dynamic)
POMP_DEALS_chunks(ordered_guided)

#define POMP_runtime_PARAMETERS long begin, long end, long step, long *from, long *to
#define POMP_runtime_ARGUMENTS begin, end, step, from, to
POMP_FORM(runtime, 1, begin, step)
#define POMP_ull_runtime_PARAMETERS \
    _Bool up, pomp_ull begin, pomp_ull end, pomp_ull step, pomp_ull *from, pomp_ull *to
#define POMP_ull_runtime_ARGUMENTS up, begin, end, step, from, to
POMP_FORM(ull_runtime, 1, begin, step)
#define POMP_DEALS_runtime(kind) \
    POMP_DEALS(GOMP_loop_##kind##_start, runtime) \
    POMP_DEALS(GOMP_loop_ull_##kind##_start, ull_runtime) \
    POMP_DEALS_NEXT(kind)
POMP_DEALS_runtime(runtime)
POMP_DEALS_runtime(nonmonotonic_runtime)
POMP_DEALS_runtime(maybe_nonmonotonic_runtime)
POMP_DEALS_runtime(ordered_runtime)

/* Loops with a reduction over tasks or a conditional lastprivate get the schedule as a
 * parameter. */
#define POMP_any_PARAMETERS \
    long begin, long end, long step, long how, long size, long *from, long *to, \
        uintptr_t *reductions, void **memory
#define POMP_any_ARGUMENTS begin, end, step, how, size, from, to, reductions, memory
POMP_FORM(any, 1, begin, step)
#define POMP_ull_any_PARAMETERS \
    _Bool up, pomp_ull begin, pomp_ull end, pomp_ull step, long how, pomp_ull size, \
        pomp_ull *from, pomp_ull *to, uintptr_t *reductions, void **memory
#define POMP_ull_any_ARGUMENTS up, begin, end, step, how, size, from, to, reductions, memory
POMP_FORM(ull_any, 1, begin, step)
POMP_DEALS(GOMP_loop_start, any)
POMP_DEALS(GOMP_loop_ull_start, ull_any)
POMP_DEALS(GOMP_loop_ordered_start, any)
POMP_DEALS(GOMP_loop_ull_ordered_start, ull_any)

/* For loops with dependences between iterations, the runtime gets the number of iterations of each
 * loop instead of its bounds. */
#define POMP_doacross_PARAMETERS unsigned loops, long *counts, long size, long *from, long *to
#define POMP_doacross_ARGUMENTS loops, counts, size, from, to
POMP_FORM(doacross, POMP_DOACROSS, loops, 0)
#define POMP_ull_doacross_PARAMETERS \
    unsigned loops, pomp_ull *counts, pomp_ull size, pomp_ull *from, pomp_ull *to
#define POMP_ull_doacross_ARGUMENTS loops, counts, size, from, to
POMP_FORM(ull_doacross, POMP_DOACROSS, loops, 0)
POMP_DEALS_NUMBERED(GOMP_loop_doacross_static_start, doacross)
POMP_DEALS_NUMBERED(GOMP_loop_ull_doacross_static_start, ull_doacross)
POMP_DEALS_NUMBERED(GOMP_loop_doacross_dynamic_start, doacross)
POMP_DEALS_NUMBERED(GOMP_loop_ull_doacross_dynamic_start, ull_doacross)
POMP_DEALS_NUMBERED(GOMP_loop_doacross_guided_start, doacross)
POMP_DEALS_NUMBERED(GOMP_loop_ull_doacross_guided_start, ull_doacross)
#define POMP_doacross_runtime_PARAMETERS unsigned loops, long *counts, long *from, long *to
#define POMP_doacross_runtime_ARGUMENTS loops, counts, from, to
POMP_FORM(doacross_runtime, POMP_DOACROSS, loops, 0)
#define POMP_ull_doacross_runtime_PARAMETERS \
    unsigned loops, pomp_ull *counts, pomp_ull *from, pomp_ull *to
#define POMP_ull_doacross_runtime_ARGUMENTS loops, counts, from, to
POMP_FORM(ull_doacross_runtime, POMP_DOACROSS, loops, 0)
POMP_DEALS_NUMBERED(GOMP_loop_doacross_runtime_start, doacross_runtime)
POMP_DEALS_NUMBERED(GOMP_loop_ull_doacross_runtime_start, ull_doacross_runtime)
#define POMP_doacross_any_PARAMETERS \
    unsigned loops, long *counts, long how, long size, long *from, long *to, \
        uintptr_t *reductions, void **memory
#define POMP_doacross_any_ARGUMENTS loops, counts, how, size, from, to, reductions, memory
POMP_FORM(doacross_any, POMP_DOACROSS, loops, 0)
#define POMP_ull_doacross_any_PARAMETERS \
    unsigned loops, pomp_ull *counts, long how, pomp_ull size, pomp_ull *from, pomp_ull *to, \
        uintptr_t *reductions, void **memory
#define POMP_ull_doacross_any_ARGUMENTS loops, counts, how, size, from, to, reductions, memory
POMP_FORM(ull_doacross_any, POMP_DOACROSS, loops, 0)
POMP_DEALS_NUMBERED(GOMP_loop_doacross_start, doacross_any)
POMP_DEALS_NUMBERED(GOMP_loop_ull_doacross_start, ull_doacross_any)
