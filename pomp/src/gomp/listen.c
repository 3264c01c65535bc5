/* listen.c: routines of GCC's runtime that stand between the program and it: compiled code calls
 * the definitions here, which raise what no call in the source can show (that a cancel was obeyed,
 * the barrier that a construct had to keep, the tasks of a taskloop, what a task depends on, where
 * its event is fulfilled) and call the runtime's.
 *
 * In dynamic programs the runtime's definition is the next one that the loader knows; in static
 * ones (POMP_WRAPPED) the linker decides which calls come here. Weak, so that a program may still
 * bring its own. Without a user's tool each costs a test and a jump.
 */
#include "../state/state.h"

OPARI_INLINE int pomp_has_tool(void) { return OPARI_ACQUIRE(&opari_tools.count) > opari_own_tools; }

/* A tool of 2013 asks for the function of a region or task. Of the words of others none is to be
 * had. */
OPARI_INLINE void pomp_note(ompt_data_t *data, void (*fn)(void *))
{
    if (OPARI_UNLIKELY(opari_older.generation == 2013))
        data[OPARI_NOTES].ptr = (void *)(uintptr_t)fn;
}

/* The calling thread, entered, where it is known; else null. */
static struct opari_thread *pomp_known(void)
{
    struct opari_thread *t =
        opari_self != NULL && pomp_is_active() ? opari_event_begin(NULL) : NULL;
    if (t != NULL)
        t->regions.event = t->top->region;
    return t;
}

/* The same where a user's tool listens. */
static struct opari_thread *pomp_listening(void)
{
    return OPARI_LIKELY(!pomp_has_tool()) ? NULL : pomp_known();
}

/* What only this file can do for instrumented Fortran is done without a user's tool too. */
OPARI_INLINE int pomp_hands_over(void)
{
    return pomp_has_tool() || OPARI_LOAD(&pomp_fortran_there);
}
