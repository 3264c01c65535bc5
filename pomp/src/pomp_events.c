/* pomp_events.c: one entry point per event: finds the thread and hands on to the bridge. The switches over kind and type are over
 * constants, so each entry holds its own case only.
 */
#include "pomp_lib.h"

#define POMP_CALLER __builtin_return_address(0)
/* The caller's stack pointer: the frame that a tool's unwinder takes for the program's. */
#define POMP_FRAME ((void *)((char *)__builtin_frame_address(0) + 2 * sizeof(void *)))

enum pomp_type { POMP_TYPE_enter, POMP_TYPE_begin, POMP_TYPE_end, POMP_TYPE_exit };

/* The wait id of a critical: one for all that have no name, else a hash of the name (FNV-1a), kept in the descriptor. */
OPARI_INLINE ompt_wait_id_t pomp_critical_id(struct ompregdescr *d)
{
    uintptr_t id = (uintptr_t)OPARI_LOAD(&d->data[1]);
    if (OPARI_LIKELY(id != 0))
        return id;
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *s = d->sub_name != NULL ? d->sub_name : ""; *s != 0; s++)
        hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
    id = (uintptr_t)(hash | 1);
    OPARI_STORE(&d->data[1], (void *)id);
    return id;
}

extern void omp_get_schedule(int *kind, int *chunk) __attribute__((weak));

/* OpenMP 5.2 tells loops apart by their schedule; before, a loop was a loop. */
static OPARI_COLD int pomp_loop_type(const struct ompregdescr *d)
{
    static const unsigned char types[] = {ompt_work_loop_static, ompt_work_loop_static, ompt_work_loop_dynamic, ompt_work_loop_guided,
                                          ompt_work_loop_other, ompt_work_loop_other, ompt_work_loop_static}; /* to 4: omp_sched_t */
    int schedule = d->schedule, chunk;
    if (schedule == POMP_SCHEDULE_RUNTIME && omp_get_schedule != NULL) {
        omp_get_schedule(&schedule, &chunk);
        schedule &= 0xffff; /* without the modifier */
    }
    return schedule >= 0 && schedule < (int)sizeof types ? types[schedule] : ompt_work_loop_other;
}

OPARI_INLINE int pomp_work_type(const struct ompregdescr *d, unsigned kind)
{
    switch (kind) {
    case POMP_KIND_WORKSHARE:
        return ompt_work_workshare;
    case POMP_KIND_SCOPE:
        return ompt_work_scope;
    case POMP_KIND_DISTRIBUTE:
        return ompt_work_distribute;
    default:
        return OPARI_UNLIKELY(opari_dialect == 52) ? pomp_loop_type(d) : ompt_work_loop;
    }
}

/* The part inside of a construct such as parallel for. */
OPARI_INLINE int pomp_is_combined(const struct ompregdescr *d)
{
    const struct ompregdescr *o = d->outer;
    return o != NULL && o->kind == POMP_KIND_PARALLEL && o->begin_first_line == d->begin_first_line && d->directive != NULL &&
           o->directive != NULL && strcmp(o->directive, d->directive) == 0;
}

static void pomp_barrier_enter(struct opari_thread *t, struct ompregdescr *d, const void *ra, void *frame)
{
    int kind = ompt_sync_region_barrier_implicit_workshare, state = ompt_state_wait_barrier_implicit_workshare;
    if (d->kind == POMP_KIND_BARRIER) {
        kind = ompt_sync_region_barrier_explicit;
        state = ompt_state_wait_barrier_explicit;
    } else if (d->kind == POMP_KIND_PARALLEL || pomp_is_combined(d)) {
        kind = ompt_sync_region_barrier_implicit_parallel;
        state = ompt_state_wait_barrier_implicit_parallel;
    }
    opari_sync_enter(t, d, OPARI_AT_BARRIER, kind, state, ra, frame);
}

/* ordered with depend or doacross has no block: it only waits. */
OPARI_INLINE int pomp_is_stand_alone(const struct ompregdescr *d)
{
    return (d->facts & (POMP_HAS_DEPEND | POMP_HAS_DOACROSS)) != 0;
}

#ifdef POMP_INTERPOSE
static void pomp_static_chunk(struct opari_thread *t, const struct ompregdescr *d, uint64_t count);
#endif

OPARI_INLINE void pomp_enter(struct opari_thread *t, struct ompregdescr *d, unsigned kind, const void *ra, void *frame)
{
    struct opari_entry *e;
    uint64_t count;
    switch (kind) {
    case POMP_KIND_FOR:
    case POMP_KIND_LOOP:
        count = opari_told(t, d);
        opari_work_enter(t, d, pomp_work_type(d, kind), count, ra);
#ifdef POMP_INTERPOSE
        if (OPARI_UNLIKELY(count != 0) && kind == POMP_KIND_FOR)
            pomp_static_chunk(t, d, count);
#endif
        break;
    case POMP_KIND_SECTIONS:
        opari_work_enter(t, d, ompt_work_sections, (uint64_t)d->num_sections, ra);
        break;
    case POMP_KIND_WORKSHARE:
    case POMP_KIND_SCOPE:
    case POMP_KIND_DISTRIBUTE:
        opari_work_enter(t, d, pomp_work_type(d, kind), 0, ra);
        break;
    case POMP_KIND_TASKLOOP:
        opari_taskloop_enter(t, d, (d->facts & POMP_HAS_NOGROUP) == 0, opari_told(t, d), ra);
        break;
    case POMP_KIND_SINGLE:
        (void)opari_region_enter(t, d, OPARI_AT_SINGLE, opari_region_work, -1, NULL, ra);
        break;
    case POMP_KIND_CRITICAL:
        opari_mutex_enter(t, d, ompt_mutex_critical, ompt_state_wait_critical, pomp_critical_id(d), (unsigned)d->hint, ra);
        break;
    case POMP_KIND_ORDERED:
        if (OPARI_UNLIKELY(pomp_is_stand_alone(d)))
            (void)opari_region_enter(t, d, OPARI_AT_REGION, opari_region_wait, ompt_state_wait_ordered, NULL, ra);
        else
            opari_mutex_enter(t, d, ompt_mutex_ordered, ompt_state_wait_ordered, (uintptr_t)t->task->parallel + 1, 0, ra);
        break;
    case POMP_KIND_BARRIER:
        pomp_barrier_enter(t, d, ra, frame);
        break;
    case POMP_KIND_TASKWAIT:
        opari_sync_enter(t, d, OPARI_AT_TASKWAIT, ompt_sync_region_taskwait, ompt_state_wait_taskwait, ra, frame);
        break;
    case POMP_KIND_TASKGROUP:
        opari_taskgroup_enter(t, d, ra);
        break;
    case POMP_KIND_ATOMIC:
        (void)opari_region_enter(t, d, OPARI_AT_REGION, opari_region_wait, ompt_state_wait_atomic, NULL, ra);
        break;
    case POMP_KIND_CANCEL:
    case POMP_KIND_CANCELLATION_POINT:
        if (!OPARI_LOAD(&opari_cancels))
            OPARI_STORE(&opari_cancels, 1);
        (void)opari_region_enter(t, d, OPARI_AT_CANCEL, opari_region_work, -1, NULL, ra);
        break;
    case POMP_KIND_TASKYIELD:
        e = opari_region_enter(t, d, OPARI_AT_REGION, opari_region_work, -1, NULL, ra);
        if (e != NULL)
            e->flags |= OPARI_ENTRY_YIELD;
        break;
    default:
        (void)opari_region_enter(t, d, OPARI_AT_REGION, opari_region_work, -1, NULL, ra);
        break;
    }
}

OPARI_INLINE void pomp_begin(struct opari_thread *t, struct ompregdescr *d, unsigned kind, const void *ra)
{
    switch (kind) {
    case POMP_KIND_SINGLE:
        opari_single_begin(t, d, ra);
        break;
    case POMP_KIND_CRITICAL:
    case POMP_KIND_ORDERED:
        opari_mutex_begin(t, d, ra);
        break;
    case POMP_KIND_MASTER:
    case POMP_KIND_MASKED:
        opari_masked_begin(t, d, ra);
        break;
    case POMP_KIND_SECTION:
        if (OPARI_LIKELY(t->top->what == OPARI_AT_WORK)) /* not where parallel sections was left whole */
            opari_fire_dispatch(t, ompt_dispatch_section, (ompt_data_t){.ptr = (void *)(uintptr_t)ra});
        (void)opari_region_enter(t, d, OPARI_AT_SECTION, opari_region_work, -1, NULL, ra);
        break;
    default: /* taskgroup, scope: enter has told */
        break;
    }
}

OPARI_INLINE void pomp_end_of_block(struct opari_thread *t, struct ompregdescr *d, unsigned kind, const void *ra)
{
    switch (kind) {
    case POMP_KIND_SINGLE:
        opari_single_end(t, d, ra);
        break;
    case POMP_KIND_MASTER:
    case POMP_KIND_MASKED:
        opari_masked_end(t, d, ra);
        break;
    case POMP_KIND_SECTION:
        opari_region_exit(t, d, OPARI_AT_SECTION, NULL, ra);
        break;
    case POMP_KIND_TASKGROUP:
        opari_taskgroup_end(t, d, ra);
        break;
    default: /* critical, ordered: released at the exit, when they are */
        break;
    }
}

OPARI_INLINE void pomp_exit(struct opari_thread *t, struct ompregdescr *d, unsigned kind, const void *ra)
{
    switch (kind) {
    case POMP_KIND_FOR:
    case POMP_KIND_SECTIONS:
    case POMP_KIND_WORKSHARE:
    case POMP_KIND_SCOPE:
    case POMP_KIND_DISTRIBUTE:
    case POMP_KIND_LOOP:
        opari_work_exit(t, d, ra);
        break;
    case POMP_KIND_TASKLOOP:
        opari_taskloop_exit(t, d, ra);
        break;
    case POMP_KIND_SINGLE:
        opari_single_exit(t, d, ra);
        break;
    case POMP_KIND_CRITICAL:
        opari_mutex_exit(t, d, ra);
        break;
    case POMP_KIND_ORDERED:
        if (OPARI_UNLIKELY(pomp_is_stand_alone(d)))
            opari_region_exit(t, d, OPARI_AT_REGION, NULL, ra);
        else
            opari_mutex_exit(t, d, ra);
        break;
    case POMP_KIND_BARRIER:
        opari_sync_exit(t, d, OPARI_AT_BARRIER, ra);
        break;
    case POMP_KIND_TASKWAIT:
        opari_sync_exit(t, d, OPARI_AT_TASKWAIT, ra);
        break;
    case POMP_KIND_TASKGROUP:
        opari_taskgroup_exit(t, d, ra);
        break;
    case POMP_KIND_CANCEL:
    case POMP_KIND_CANCELLATION_POINT:
        opari_region_exit(t, d, OPARI_AT_CANCEL, NULL, ra);
        break;
    case POMP_KIND_FLUSH:
        opari_fire_flush(t, ra);
        opari_region_exit(t, d, OPARI_AT_REGION, NULL, ra);
        break;
    default:
        opari_region_exit(t, d, OPARI_AT_REGION, NULL, ra);
        break;
    }
}

OPARI_INLINE void pomp_event(struct ompregdescr *d, enum pomp_type type, unsigned kind, const void *ra, void *frame)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    switch (type) {
    case POMP_TYPE_enter:
        pomp_enter(t, d, kind, ra, frame);
        break;
    case POMP_TYPE_begin:
        pomp_begin(t, d, kind, ra);
        break;
    case POMP_TYPE_end:
        pomp_end_of_block(t, d, kind, ra);
        break;
    case POMP_TYPE_exit:
        pomp_exit(t, d, kind, ra);
        break;
    }
    opari_event_end(t);
}

#define POMP_X(name, type, kind)                                                                                               \
    POMP_API void POMP_##name##_##type(struct ompregdescr *d)                                                                  \
    {                                                                                                                          \
        pomp_event(d, POMP_TYPE_##type, POMP_KIND_##kind, POMP_CALLER, POMP_FRAME);                                                        \
    }
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X

/* Of the construct that the thread meets next. */
static void pomp_told(struct ompregdescr *d, uint64_t value)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    t->told = (struct opari_told){d, value};
    opari_event_end(t);
}

POMP_API void POMP_Iterations(struct ompregdescr *d, unsigned long iterations) { pomp_told(d, iterations); }

POMP_API void POMP_Final(struct ompregdescr *d, int final_value) { pomp_told(d, final_value != 0); }

POMP_API void *POMP_Parallel_fork(struct ompregdescr *d, int if_value, int num_threads)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return NULL;
    void *handle = opari_parallel_fork(t, d, if_value, num_threads, POMP_CALLER, POMP_FRAME);
    opari_event_end(t);
    return handle;
}

/* copyin: the threads have met in a barrier by now, after the copying and before the body. Its waiting is over when it is told. */
static OPARI_COLD void pomp_copied_in(struct opari_thread *t, const void *ra, void *frame)
{
    if (t->top->what != OPARI_AT_IMPLICIT || t->top->detail == 1)
        return;
    opari_implied_begin(t, ompt_sync_region_barrier_implicit_workshare, ompt_state_wait_barrier_implicit_workshare, ra, frame);
    opari_implied_end(t, ra);
}

POMP_API void POMP_Parallel_begin(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_parallel_begin(t, d, handle, POMP_FRAME);
    if (OPARI_UNLIKELY((d->facts & POMP_HAS_COPY) != 0))
        pomp_copied_in(t, POMP_CALLER, POMP_FRAME);
    opari_event_end(t);
}

POMP_API void POMP_Parallel_end(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_parallel_end(t, d, handle, POMP_CALLER);
    opari_event_end(t);
}

POMP_API void POMP_Parallel_join(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_parallel_join(t, d, handle, POMP_CALLER);
    opari_event_end(t);
}

/* mergeable is not reported: no runtime merges, and libomp does not tell either. A final task makes final ones that are executed at
 * once; outside of any team nobody could execute a task later. */
OPARI_INLINE int pomp_task_flags(const struct opari_thread *t, const struct ompregdescr *d, int if_value, int final)
{
    const struct opari_task *k = t->task;
    int flags = if_value ? 0 : ompt_task_undeferred;
    flags |= final ? ompt_task_final : 0;
    flags |= d->facts & POMP_HAS_UNTIED ? ompt_task_untied : 0;
    if (OPARI_UNLIKELY((k->flags & ompt_task_final) != 0))
        flags |= ompt_task_final | ompt_task_undeferred;
    return k->parallel == &t->base_parallel ? flags | ompt_task_undeferred : flags;
}

POMP_API void *POMP_Task_create_begin(struct ompregdescr *d, int if_value)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return NULL;
    int flags = pomp_task_flags(t, d, if_value, opari_told(t, d) != 0);
    void *handle = opari_task_create_begin(t, d, flags, (d->facts & POMP_HAS_DEPEND) != 0, POMP_CALLER, POMP_FRAME);
    opari_event_end(t);
    return handle;
}

POMP_API void POMP_Task_create_end(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_task_create_end(t, handle);
    opari_event_end(t);
}

POMP_API void POMP_Task_begin(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_task_begin(t, d, handle, POMP_FRAME);
    opari_event_end(t);
}

POMP_API void POMP_Task_end(struct ompregdescr *d, void *handle)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_task_end(t, d, handle);
    opari_event_end(t);
}

POMP_API void POMP_Begin(struct ompregdescr *d, const void *user)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    (void)opari_region_enter(t, d, OPARI_AT_USER, opari_region_work, -1, user, POMP_CALLER);
    opari_event_end(t);
}

POMP_API void POMP_End(struct ompregdescr *d, const void *user)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    opari_region_exit(t, d, OPARI_AT_USER, user, POMP_CALLER);
    opari_event_end(t);
}
