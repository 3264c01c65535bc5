/* direct.c: the path of an event straight into the buffer of the trace recorder, where that is the
 * only tool.
 *
 * opari_direct_NAME does what opari_raise_NAME does. Where that would only call the recorder, it
 * calls nobody and returns the recorder's operation. The caller finishes the event and then jumps
 * to opari_finish_traced, which is the last step. 0 means that nothing remains to be recorded.
 *
 * Only the complete events that a call of the program raises take this path: not parts of
 * constructs, and not events that close a construct in the program's place. The recorder has a
 * callback for all of them.
 */
#include "entries.h"
#include "../trace/trace.h"

#define OPARI_DEFINE_DIRECT(name, event, type, parameters, ...) \
    OPARI_INLINE unsigned opari_direct_##name parameters \
    { \
        const type call = (type)OPARI_ACQUIRE(&opari_tools.plain[event]); \
        if (call == NULL) \
            return OPARI_LOAD(&opari_trace_only) ? operation : 0; \
        call(__VA_ARGS__); \
        return 0; \
    }

OPARI_DEFINE_DIRECT(work, ompt_callback_work, ompt_callback_work_t,
                    (unsigned operation, struct opari_thread *t, int type, ompt_scope_endpoint_t at,
                     uint64_t count, const void *ra),
                    (ompt_work_t)type, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, count, ra)
OPARI_DEFINE_DIRECT(masked, ompt_callback_masked, ompt_callback_masked_t,
                    (unsigned operation, struct opari_thread *t, ompt_scope_endpoint_t at,
                     const void *ra),
                    at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra)
OPARI_DEFINE_DIRECT(region, OPARI_EVENT_REGION, opari_callback_region_t,
                    (unsigned operation, struct opari_thread *t, ompt_scope_endpoint_t at,
                     int region_class, const void *user, const void *ra),
                    at, (opari_region_class_t)region_class, OPARI_PARALLEL_DATA, OPARI_TASK_DATA,
                    user, ra)
OPARI_DEFINE_DIRECT(
    mutex_acquire, ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t,
    (unsigned operation, int kind, unsigned hint, ompt_wait_id_t id, const void *ra),
    (ompt_mutex_t)kind, hint,
    kind == ompt_mutex_ordered ? (unsigned)OPARI_IMPL_TURN : (unsigned)OPARI_IMPL_MUTEX, id, ra)
OPARI_DEFINE_DIRECT(mutex_acquired, ompt_callback_mutex_acquired, ompt_callback_mutex_t,
                    (unsigned operation, int kind, ompt_wait_id_t id, const void *ra),
                    (ompt_mutex_t)kind, id, ra)
OPARI_DEFINE_DIRECT(mutex_released, ompt_callback_mutex_released, ompt_callback_mutex_t,
                    (unsigned operation, int kind, ompt_wait_id_t id, const void *ra),
                    (ompt_mutex_t)kind, id, ra)

/* The rare cases of opari_finish_traced. It only jumps here, so it keeps nothing across a call. */
static OPARI_COLD void *opari_finish_traced_slowly(struct ompregdescr *d, unsigned operation,
                                                   void *made, struct ompregdescr *at)
{
    opari_self->regions.event = d;
    (void)trc_put_slowly(operation);
    opari_event_end_at(at);
    return made;
}

static OPARI_COLD void *opari_finish_join_slowly(struct ompregdescr *d, uint64_t team)
{
    opari_self->regions.event = d;
    const uint64_t end = trc_put_slowly(TRC_PARALLEL << 1 | 1);
    OPARI_RELEASE(&trc_owner(team)->joins[team % TRC_JOINS], end);
    opari_event_end();
    return NULL;
}

#ifdef REC_HAS_TSC
static OPARI_COLD void *opari_finish_traced_full(struct trc_thread *r, void *made,
                                                 struct ompregdescr *at)
{
    trc_full(r);
    opari_event_end_at(at);
    return made;
}
#endif

/* Does trc_put for an event of region d that is neither a part nor forced, and ends the event. The
 * caller may have entered the event without its region. Returns made. join says that this is the
 * end of the parallel region with number team. at is where the thread is then, see
 * opari_event_end_at. */
OPARI_INLINE void *opari_finish_traced_at(struct ompregdescr *d, uint64_t operation, void *made,
                                          int join, uint64_t team, struct ompregdescr *at)
{
#ifdef REC_HAS_TSC
    struct trc_thread *r = trc_fast;
    if (OPARI_LIKELY(d != NULL)) {
        uintptr_t id = (uintptr_t)OPARI_ACQUIRE(&d->data[3]);
        if (OPARI_LIKELY(id > 1)) {
            uint64_t now = __rdtsc();
            if (OPARI_LIKELY(now <= r->deadline)) {
                uint64_t used = r->used;
                r->record[used] = now << TRC_SHIFT | id | operation;
                OPARI_RELEASE(&r->used, used + 1);
                if (join)
                    OPARI_RELEASE(&r->joins[team % TRC_JOINS], now);
                if (OPARI_UNLIKELY(used >= r->limit))
                    return opari_finish_traced_full(r, made, at);
                opari_event_end_at(at);
                return made;
            }
        }
    }
#endif
    return join ? opari_finish_join_slowly(d, team)
                : opari_finish_traced_slowly(d, (unsigned)operation, made, at);
}

OPARI_INLINE void *opari_finish_traced_inline(struct ompregdescr *d, uint64_t operation, void *made,
                                              int join, uint64_t team)
{
    return opari_finish_traced_at(d, operation, made, join, team, OPARI_READY);
}

/* Does all that remains of an event that ends in the recorder's buffer. */
static OPARI_NOINLINE void opari_finish_traced(struct ompregdescr *d, uint64_t operation,
                                               struct ompregdescr *at)
{
    (void)opari_finish_traced_at(d, operation, NULL, 0, 0, at);
}
