/* functions.c: functions that are switched off because they are called too often for what they do
 * (--functions=auto). The test whether a function is off stands in the program's text.
 *
 * A descriptor of a function holds in data[1] its calls so far, and below them the time of those
 * since the last decision. data[2] is null until the function is off. Then it holds the calls up
 * to that time, and stays.
 */
#include "../state/state.h"

enum {
    POMP_WINDOW = 1000,          /* calls from one decision to the next */
    POMP_WORTH = 20,             /* events that a call must take on average to stay on */
    POMP_TIME_BITS = 32,         /* of data[1] below the calls */
    POMP_TICK_BITS = 4,          /* a unit of that time has so many ticks, as a power of two */
    POMP_LONGEST_CALL = 1 << 20, /* units; several windows of such calls have room */
    POMP_OUTER_NEAR = 4          /* entries that are searched for an outer call */
};
#define POMP_TIME ((UINT64_C(1) << POMP_TIME_BITS) - 1)

/* Returns the ticks of the call that the thread's innermost entry stands for, without those of
 * inner calls of the same function. So a recursive function is judged by the work of each call. */
OPARI_INLINE uint64_t pomp_call_time(struct opari_thread *t)
{
    struct opari_entry *e = t->top, *below = e - 1;
    if ((e->flags & OPARI_ENTRY_TIMED) == 0)
        return UINT64_MAX;
    const uint64_t took = rec_now() - e->of.call.start, inner = e->of.call.inner;
    for (int i = 0; i < POMP_OUTER_NEAR && below->what > OPARI_AT_CREATE; i++, below--)
        if (below->region == e->region && (below->flags & OPARI_ENTRY_TIMED) != 0) {
            below->of.call.inner += took;
            break;
        }
    return took > inner ? took - inner : 0;
}

/* Ends a window of calls. Calls of other threads that end meanwhile may be in this window, in the
 * next, or in none. */
static OPARI_COLD void pomp_judge(struct ompregdescr *d, uint64_t sum)
{
    uint64_t *own = (uint64_t *)(void *)&d->data[1];
    (void)__atomic_fetch_and(own, ~POMP_TIME, __ATOMIC_RELAXED);
    const uint64_t ticks = (sum & POMP_TIME) << POMP_TICK_BITS;
    const uint64_t cost = OPARI_LOAD(&rec_clock.cost); /* of REC_BATCH events; 0: unknown */
    if (ticks * REC_BATCH >= (uint64_t)POMP_WINDOW * POMP_WORTH * cost ||
        OPARI_LOAD(&d->data[2]) != NULL)
        return;
    OPARI_STORE(&d->data[2], (void *)(uintptr_t)(sum >> POMP_TIME_BITS));
    rec_switched_off(d);
}

POMP_OFTEN void POMP_Function_begin(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    unsigned operation = 0;
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (opari_has_room(t)) {
        operation =
            opari_region_enter(t, d, OPARI_AT_USER, opari_region_work, -1, NULL, POMP_CALLER);
        struct opari_entry *e = opari_self->top;
        e->flags |= OPARI_ENTRY_TIMED;
        e->of.call.inner = 0;
        e->of.call.start = rec_now();
    }
    pomp_event_end(d, operation);
}

POMP_OFTEN void POMP_Function_end(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    unsigned operation = 0;
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (opari_seek(t, d, OPARI_AT_USER)) {
        const uint64_t took = pomp_call_time(t);
        operation = opari_region_exit(t, opari_region_work, NULL, POMP_CALLER);
        if (OPARI_LIKELY(took != UINT64_MAX)) {
            const uint64_t units = took >> POMP_TICK_BITS;
            const uint64_t sum =
                __atomic_add_fetch((uint64_t *)(void *)&d->data[1],
                                   (UINT64_C(1) << POMP_TIME_BITS) +
                                       (units < POMP_LONGEST_CALL ? units : POMP_LONGEST_CALL),
                                   __ATOMIC_RELAXED);
            if (OPARI_UNLIKELY((sum >> POMP_TIME_BITS) % POMP_WINDOW == 0))
                pomp_judge(d, sum);
        }
    }
    pomp_event_end(d, operation);
}

/* Whether functions may be switched off: there is a recorder. */
static int pomp_judges(void) { return sizeof(void *) == sizeof(uint64_t) && opari_own_tools != 0; }
