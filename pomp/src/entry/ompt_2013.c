/* ompt_2013.c: the global symbols of OMPT's first generation (paper of 2013, sections 5 to 7), for
 * a tool that refers to them directly.
 *
 * They serve only a tool in a program that the library is linked into. They are hidden: tools of
 * 5.x have variables of these names, and a tool that is loaded later must not find functions
 * instead. They are weak, and they forward to a runtime that has these symbols and starts the tool
 * itself. The lookup happens when the tool sets its first callback, because all other functions may
 * be called in a signal handler.
 */
#include "../state/state.h"

#define POMP_HIDDEN __attribute__((weak, visibility("hidden")))

/* Name, type, parameters, arguments. */
#define FOREACH_POMP_2013(X) \
    X(get_callback, int, (int event, ompt_callback_t *callback), (event, callback)) \
    X(enumerate_state, int, (int current, int *next, const char **name), (current, next, name)) \
    X(get_state, int, (ompt_wait_id_t * wait_id), (wait_id)) \
    X(get_thread_data, ompt_data_t *, (void), ()) \
    X(get_parallel_id, uint64_t, (int level), (level)) \
    X(get_parallel_function, void *, (int level), (level)) \
    X(get_task_data, ompt_data_t *, (int level), (level)) \
    X(get_task_frame, ompt_frame_t *, (int level), (level)) \
    X(get_task_function, void *, (int level), (level)) \
    X(get_ompt_version, int, (void), ()) \
    X(get_runtime_version, int, (char *buffer, int length), (buffer, length))

/* The runtime's own functions. */
static struct {
    int known;
    int (*set_callback)(int, ompt_callback_t);
#define POMP_X(name, type, parameters, arguments) type(*name) parameters;
    FOREACH_POMP_2013(POMP_X)
#undef POMP_X
} pomp_2013;

#define POMP_X(name, type, parameters, arguments) \
    POMP_HIDDEN type ompt_##name parameters; \
    POMP_HIDDEN type ompt_##name parameters \
    { \
        return pomp_2013.name != NULL ? pomp_2013.name arguments : opari_2013_##name arguments; \
    }
FOREACH_POMP_2013(POMP_X)
#undef POMP_X

static void pomp_2013_of_runtime(void)
{
    pomp_2013.known = 1;
    pomp_2013.set_callback =
        (int (*)(int, ompt_callback_t))(uintptr_t)opari_runtime_symbol("ompt_set_callback");
#define POMP_X(name, type, parameters, arguments) \
    pomp_2013.name = (type(*) parameters)(uintptr_t)opari_runtime_symbol("ompt_" #name);
    FOREACH_POMP_2013(POMP_X)
#undef POMP_X
}

POMP_HIDDEN int ompt_set_callback(int event, ompt_callback_t callback);
POMP_HIDDEN int ompt_set_callback(int event, ompt_callback_t callback)
{
    if (opari_older.generation == 2013) /* the bridge runs the tool */
        return opari_2013_set_callback(event, callback);
    if (!pomp_2013.known)
        pomp_2013_of_runtime();
    return pomp_2013.set_callback != NULL ? pomp_2013.set_callback(event, callback)
                                          : opari_2013_set_callback(event, callback);
}
