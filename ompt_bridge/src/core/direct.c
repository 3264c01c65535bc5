/* direct.c: an event of which nobody hears but the trace recorder goes straight into the recorder's buffer.
 *
 * opari_tell_NAME is opari_fire_NAME, but where that would do no more than call the recorder it returns the recorder's operation and calls
 * nobody: whoever has raised the event does what is left of it and then jumps to trc_record, the last thing that the event does. 0: nothing is
 * left. The recorder hears of all of these. Only for events that the program's own call tells, in whole: not for parts of constructs and what is closed in its place.
 */
#include "bridge.h"
#include "../trace/trace.h"

#define OPARI_TELLS(name, event, type, parameters, ...)                                                                        \
    OPARI_INLINE unsigned opari_tell_##name parameters                                                                         \
    {                                                                                                                          \
        const type call = (type)OPARI_ACQUIRE(&opari_tools.plain[event]);                                                      \
        if (call == NULL)                                                                                                      \
            return OPARI_LOAD(&opari_recorded) ? operation : 0;                                                                \
        call(__VA_ARGS__);                                                                                                     \
        return 0;                                                                                                              \
    }

OPARI_TELLS(work, ompt_callback_work, ompt_callback_work_t,
            (unsigned operation, struct opari_thread *t, int type, ompt_scope_endpoint_t at, uint64_t count, const void *ra),
            (ompt_work_t)type, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, count, ra)
OPARI_TELLS(masked, ompt_callback_masked, ompt_callback_masked_t,
            (unsigned operation, struct opari_thread *t, ompt_scope_endpoint_t at, const void *ra), at, OPARI_PARALLEL_DATA,
            OPARI_TASK_DATA, ra)
OPARI_TELLS(region, OPARI_EVENT_REGION, opari_callback_region_t,
            (unsigned operation, struct opari_thread *t, ompt_scope_endpoint_t at, int region_class, const void *user, const void *ra), at,
            (opari_region_class_t)region_class, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, user, ra)
OPARI_TELLS(mutex_acquire, ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t,
            (unsigned operation, int kind, unsigned hint, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind, hint,
            kind == ompt_mutex_ordered ? (unsigned)OPARI_IMPL_TURN : (unsigned)OPARI_IMPL_MUTEX, id, ra)
OPARI_TELLS(mutex_acquired, ompt_callback_mutex_acquired, ompt_callback_mutex_t,
            (unsigned operation, int kind, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind, id, ra)
OPARI_TELLS(mutex_released, ompt_callback_mutex_released, ompt_callback_mutex_t,
            (unsigned operation, int kind, ompt_wait_id_t id, const void *ra), (ompt_mutex_t)kind, id, ra)
