/* interposed.c: routines with the names of GCC's runtime, placed between the program and the
 * runtime. Compiled code calls these definitions. They raise the events that no call in the source
 * can show and then call the runtime's routine. Such events are an obeyed cancel, a barrier that a
 * construct had to keep, the tasks of a taskloop, a task's dependences, and the fulfilment of its
 * event.
 *
 * In a dynamic program, the runtime's definition is the next one that the loader knows. In a static
 * program (POMP_WRAPPED), the linker decides which calls come here. The definitions are weak, so
 * that a program may still bring its own. Without a user's tool, each costs a test and a jump.
 */
#include "../state/state.h"

OPARI_INLINE int pomp_has_tool(void) { return OPARI_ACQUIRE(&opari_tools.count) > opari_own_tools; }

/* Keeps the function of a region or task, which a tool of 2013 can ask for. Tools of other
 * generations own all words of the data. */
OPARI_INLINE void pomp_note(ompt_data_t *data, void (*fn)(void *))
{
    if (OPARI_UNLIKELY(opari_older.generation == 2013))
        data[OPARI_NOTES].ptr = (void *)(uintptr_t)fn;
}

/* Returns the calling thread, in an event, if it is known; else null. */
static struct opari_thread *pomp_known_thread(void)
{
    struct opari_thread *t =
        opari_self != NULL && pomp_is_active() ? opari_event_begin(NULL) : NULL;
    if (t != NULL)
        t->regions.event = t->top->region;
    return t;
}

/* Does the same where there is a user's tool. */
static struct opari_thread *pomp_observer(void)
{
    return OPARI_LIKELY(!pomp_has_tool()) ? NULL : pomp_known_thread();
}

/* Some work for instrumented Fortran is possible only in these routines, so it happens without a
 * user's tool too. */
OPARI_INLINE int pomp_routine_has_work(void)
{
    return pomp_has_tool() || OPARI_LOAD(&pomp_fortran_used);
}
