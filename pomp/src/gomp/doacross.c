/* doacross.c: iterations that depend on one another (ordered with depend or doacross), OpenMP 5.1
 * [2.19.9]; see interposed.c. The text shows that a thread waits for other iterations, or that it
 * has finished its own. Only the runtime gets the numbers of the iterations.
 */
#include "../state/state.h"

#include <stdarg.h>

/* Returns how many numbers identify an iteration of the calling thread's innermost loop, or 0 if
 * that is unknown. The thread is in an ordered directive. */
static unsigned pomp_doacross_loops(const struct opari_thread *t)
{
    const struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_REGION)
        e--;
    if (e->what != OPARI_AT_WORK || (e->flags & OPARI_ENTRY_ACQUIRED) == 0 ||
        e->of.loop.step != 0 || e->of.loop.origin > POMP_MANY_LOOPS)
        return 0;
    return (unsigned)e->of.loop.origin;
}

/* When the tool gets the event, the wait is already over or has not begun. The directive's state is
 * the waiting state, so it is set for the event. */
static OPARI_COLD void pomp_doacross(ompt_dependence_type_t type, const pomp_ull *number)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    ompt_dependence_t list[POMP_MANY_LOOPS];
    const unsigned n = pomp_doacross_loops(t);
    for (unsigned i = 0; i < n; i++)
        list[i] = (ompt_dependence_t){.variable = {.value = number[i]}, .dependence_type = type};
    const int state = t->state;
    if (t->top->what == OPARI_AT_REGION)
        t->state = t->top->state;
    if (n != 0)
        opari_raise_dependences(t->task, list, (int)n);
    t->state = state;
    opari_event_end();
}

/* The runtime reads as many numbers as the loop has, and only the runtime knows that number for
 * certain. Arguments read after the last one passed are forwarded and not examined. */
#define POMP_8(n, type, i) \
    (type) n[i], (type)n[i + 1], (type)n[i + 2], (type)n[i + 3], (type)n[i + 4], (type)n[i + 5], \
        (type)n[i + 6], (type)n[i + 7]
#define POMP_WAITS_FOR(name, type) \
    typedef void (*pomp_##name##_t)(type, ...); \
    POMP_GOMP void name(type first, ...); \
    POMP_GOMP void name(type first, ...) \
    { \
        POMP_NEXT(name); \
        const unsigned loops = \
            OPARI_UNLIKELY(OPARI_LOAD(&pomp_has_many_loops)) ? POMP_MANY_LOOPS : POMP_LOOPS; \
        pomp_ull n[POMP_MANY_LOOPS]; \
        n[0] = (pomp_ull)first; \
        va_list rest; \
        va_start(rest, first); \
        for (unsigned i = 1; i < loops; i++) \
            n[i] = (pomp_ull)va_arg(rest, type); \
        va_end(rest); \
        if (OPARI_LIKELY(loops == POMP_LOOPS)) \
            next(POMP_8(n, type, 0)); \
        else \
            next(POMP_8(n, type, 0), POMP_8(n, type, 8), POMP_8(n, type, 16), POMP_8(n, type, 24), \
                 POMP_8(n, type, 32), POMP_8(n, type, 40), POMP_8(n, type, 48), \
                 POMP_8(n, type, 56)); \
        if (OPARI_UNLIKELY(pomp_has_tool())) \
            pomp_doacross(ompt_dependence_type_sink, n); \
    }
POMP_WAITS_FOR(GOMP_doacross_wait, long)
POMP_WAITS_FOR(GOMP_doacross_ull_wait, pomp_ull)

#define POMP_IS_DONE(name, type) \
    typedef void (*pomp_##name##_t)(type *); \
    POMP_GOMP void name(type *number); \
    POMP_GOMP void name(type *number) \
    { \
        POMP_NEXT(name); \
        if (OPARI_UNLIKELY(pomp_has_tool())) \
            pomp_doacross(ompt_dependence_type_source, (const pomp_ull *)(const void *)number); \
        next(number); \
    }
POMP_IS_DONE(GOMP_doacross_post, long)
POMP_IS_DONE(GOMP_doacross_ull_post, pomp_ull)
