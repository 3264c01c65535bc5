/* ompt_2013.c: the global symbols of OMPT's first generation (paper of 2013, sections 5 to 7), for
 * a tool that refers to them directly.
 *
 * They serve only a tool in a program that the library is linked into. They are hidden: tools of
 * 5.x have variables of these names, and a tool that is loaded later must not find functions
 * instead. They are weak, because a program may define such variables itself.
 */
#include "../state/state.h"

#define POMP_HIDDEN __attribute__((weak, visibility("hidden")))

/* Name, type, parameters, arguments. */
#define FOREACH_POMP_2013(X) \
    X(set_callback, int, (int event, ompt_callback_t callback), (event, callback)) \
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

#define POMP_X(name, type, parameters, arguments) \
    POMP_HIDDEN type ompt_##name parameters; \
    POMP_HIDDEN type ompt_##name parameters { return opari_2013_##name arguments; }
FOREACH_POMP_2013(POMP_X)
#undef POMP_X
