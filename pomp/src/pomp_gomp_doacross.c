/* pomp_gomp_doacross.c: iterations that depend on one another (ordered with depend or doacross), OpenMP 5.1 [2.19.9]: see pomp_gomp.c. The text
 * knows that a thread waits for other iterations or says that its own is done; which ones the runtime is handed.
 */
#include "pomp_lib.h"

#include <stdarg.h>

enum { POMP_LOOPS = 16 /* that an iteration is numbered by */ };

/* The innermost loop of the calling thread, which is in an ordered directive, has that many numbers for an iteration; 0 where it is not known. */
static unsigned pomp_doacross_loops(const struct opari_thread *t)
{
    const struct opari_entry *e = t->top;
    if (e->what == OPARI_AT_REGION)
        e--;
    if (e->what != OPARI_AT_WORK || (e->flags & OPARI_ENTRY_ACQUIRED) == 0 || e->of.loop.step != 0 || e->of.loop.origin > POMP_LOOPS)
        return 0;
    return (unsigned)e->of.loop.origin;
}

/* Nobody waits any more when the tool hears of it, or does not wait yet: the directive's state is that of waiting. */
static OPARI_COLD void pomp_doacross(ompt_dependence_type_t type, const pomp_ull *number)
{
    struct opari_thread *t = pomp_listening();
    if (t == NULL)
        return;
    ompt_dependence_t list[POMP_LOOPS];
    const unsigned n = pomp_doacross_loops(t);
    for (unsigned i = 0; i < n; i++)
        list[i] = (ompt_dependence_t){.variable = {.value = number[i]}, .dependence_type = type};
    const int state = t->state;
    if (t->top->what == OPARI_AT_REGION)
        t->state = t->top->state;
    if (n != 0)
        opari_fire_dependences(t->task, list, (int)n);
    t->state = state;
    opari_event_end();
}

/* The runtime takes as many numbers as the loop has, which only it knows for sure. There are at most POMP_LOOPS; what is read behind the last one that
 * was passed is handed on and not looked at. */
#define POMP_WAITS_FOR(name, type)                                                                                             \
    typedef void (*pomp_##name##_t)(type, ...);                                                                                \
    POMP_GOMP void name(type first, ...);                                                                                      \
    POMP_GOMP void name(type first, ...)                                                                                       \
    {                                                                                                                          \
        POMP_NEXT(name);                                                                                                       \
        pomp_ull n[POMP_LOOPS] = {(pomp_ull)first};                                                                            \
        va_list rest;                                                                                                          \
        va_start(rest, first);                                                                                                 \
        for (unsigned i = 1; i < POMP_LOOPS; i++)                                                                              \
            n[i] = (pomp_ull)va_arg(rest, type);                                                                               \
        va_end(rest);                                                                                                          \
        next(first, (type)n[1], (type)n[2], (type)n[3], (type)n[4], (type)n[5], (type)n[6], (type)n[7], (type)n[8],            \
             (type)n[9], (type)n[10], (type)n[11], (type)n[12], (type)n[13], (type)n[14], (type)n[15]);                        \
        if (OPARI_UNLIKELY(pomp_has_tool()))                                                                                   \
            pomp_doacross(ompt_dependence_type_sink, n);                                                                       \
    }
POMP_WAITS_FOR(GOMP_doacross_wait, long)
POMP_WAITS_FOR(GOMP_doacross_ull_wait, pomp_ull)

#define POMP_IS_DONE(name, type)                                                                                               \
    typedef void (*pomp_##name##_t)(type *);                                                                                   \
    POMP_GOMP void name(type *number);                                                                                         \
    POMP_GOMP void name(type *number)                                                                                          \
    {                                                                                                                          \
        POMP_NEXT(name);                                                                                                       \
        if (OPARI_UNLIKELY(pomp_has_tool()))                                                                                   \
            pomp_doacross(ompt_dependence_type_source, (const pomp_ull *)(const void *)number);                                \
        next(number);                                                                                                          \
    }
POMP_IS_DONE(GOMP_doacross_post, long)
POMP_IS_DONE(GOMP_doacross_ull_post, pomp_ull)
