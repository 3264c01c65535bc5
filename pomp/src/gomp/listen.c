/* listen.c: the calling thread, where it is known and somebody listens. */
#include "../state/state.h"

OPARI_INLINE int pomp_has_tool(void) { return OPARI_ACQUIRE(&opari_tools.count) > opari_own_tools; }

/* A tool of 2013 asks for the function of a region or task. Of the words of others none is to be had. */
OPARI_INLINE void pomp_note(ompt_data_t *data, void (*fn)(void *))
{
    if (OPARI_UNLIKELY(opari_older.generation == 2013))
        data[OPARI_NOTES].ptr = (void *)(uintptr_t)fn;
}

/* The calling thread, entered, where it is known; else null. */
static struct opari_thread *pomp_known(void)
{
    struct opari_thread *t = opari_self != NULL && pomp_is_active() ? opari_event_begin(NULL) : NULL;
    if (t != NULL)
        t->regions.event = t->top->region;
    return t;
}

/* The same where a user's tool listens. */
static struct opari_thread *pomp_listening(void) { return OPARI_LIKELY(!pomp_has_tool()) ? NULL : pomp_known(); }

/* What only this file can do for instrumented Fortran is done without a user's tool too. */
OPARI_INLINE int pomp_hands_over(void) { return pomp_has_tool() || OPARI_LOAD(&pomp_fortran_there); }
