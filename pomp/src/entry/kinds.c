/* kinds.c: what a call of each type means to the bridge, by the kind of its construct. The switches
 * over kind and type see constants, so each entry point (events.c) contains its own case only.
 */
#include "../state/state.h"

#define POMP_CALLER __builtin_return_address(0)
/* The caller's stack pointer, which a tool's unwinder takes for the program's frame. It is known
 * without a frame pointer. */
#define POMP_FRAME (__builtin_dwarf_cfa())
/* The frame of the function itself, from which it calls the compiler's outlined function of a
 * region or task. This is the slot for the caller's frame pointer. The slot lies in this frame even
 * if nothing is saved there, since a stack is aligned to two words. */
#define POMP_OWN_FRAME \
    ((void *)(((uintptr_t)__builtin_dwarf_cfa() - 2 * sizeof(void *)) | OPARI_FRAME_OF_RUNTIME))

enum pomp_type { POMP_TYPE_enter, POMP_TYPE_begin, POMP_TYPE_end, POMP_TYPE_exit };

/* Returns the wait id of a critical. All criticals without a name share one id; others have a hash
 * of the name (FNV-1a). The descriptor caches it. */
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

/* OpenMP 5.2 distinguishes loops by their schedule; earlier editions do not. */
static OPARI_COLD int pomp_loop_type(const struct ompregdescr *d)
{
    static const unsigned char types[] = {ompt_work_loop_static,  ompt_work_loop_static,
                                          ompt_work_loop_dynamic, ompt_work_loop_guided,
                                          ompt_work_loop_other,   ompt_work_loop_other,
                                          ompt_work_loop_static}; /* to 4: omp_sched_t */
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
    case POMP_KIND_WORKSHARE: return ompt_work_workshare;
    case POMP_KIND_SCOPE: return ompt_work_scope;
    default: return OPARI_UNLIKELY(opari_dialect == 52) ? pomp_loop_type(d) : ompt_work_loop;
    }
}

/* Returns whether d is the inner part of a construct such as parallel for. */
static OPARI_COLD int pomp_is_combined(const struct ompregdescr *d)
{
    const struct ompregdescr *o = d->outer;
    return o != NULL && o->kind == POMP_KIND_PARALLEL &&
           o->begin_first_line == d->begin_first_line && d->directive != NULL &&
           o->directive != NULL && strcmp(o->directive, d->directive) == 0;
}

/* Returns the kind of the barrier that opari made explicit for construct d. The descriptor caches
 * it. */
static OPARI_COLD int pomp_barrier_kind_first(struct ompregdescr *d)
{
    const int kind = d->kind == POMP_KIND_PARALLEL || pomp_is_combined(d)
                         ? ompt_sync_region_barrier_implicit_parallel
                         : ompt_sync_region_barrier_implicit_workshare;
    OPARI_STORE(&d->data[1], (void *)(intptr_t)kind);
    return kind;
}

OPARI_INLINE int pomp_barrier_kind(struct ompregdescr *d)
{
    const int kind = (int)(intptr_t)OPARI_LOAD(&d->data[1]);
    return OPARI_LIKELY(kind != 0) ? kind : pomp_barrier_kind_first(d);
}

OPARI_INLINE unsigned pomp_own_barrier_enter(struct opari_thread *t, struct ompregdescr *d,
                                             const void *ra, void *frame)
{
    const int kind = pomp_barrier_kind(d);
    if (t->top->region == d)
        opari_work_before_barrier(t, ra);
    t = opari_self;
    if (kind != ompt_sync_region_barrier_implicit_workshare) {
        opari_last_barrier_enter(t, d, ra, frame);
        return 0;
    }
    (void)opari_put(t, d, OPARI_AT_BARRIER, kind, ra);
    opari_set_enter_frame(t->task, frame);
    if (OPARI_LIKELY(OPARI_LOAD(&opari_trace_only))) { /* only the wait */
        t->state = ompt_state_wait_barrier_implicit_workshare;
        return TRC_AT(TRC_BARRIER, ompt_scope_begin);
    }
    opari_sync_begin_slow(t, kind, ompt_state_wait_barrier_implicit_workshare);
    return 0;
}

/* Enters the last barrier of a team of one, for a construct d that is not a barrier itself. That
 * raises nothing if the thread's state is the usual one. Returns whether it is. */
OPARI_INLINE int pomp_eventless_barrier(struct opari_thread *t, struct ompregdescr *d,
                                        const void *ra, void *frame)
{
    if (OPARI_LIKELY((intptr_t)OPARI_LOAD(&d->data[1]) !=
                     ompt_sync_region_barrier_implicit_parallel))
        return 0;
    if (t->top->what != OPARI_AT_IMPLICIT || OPARI_LOAD(&t->top->detail) != 1 || t->top == t->limit)
        return 0;
    opari_event_enter(t, d);
    opari_eventless_barrier_enter(t, d, ra, frame);
    opari_event_end();
    return 1;
}

/* An ordered construct with depend or doacross has no block: it only waits. */
OPARI_INLINE int pomp_is_stand_alone(const struct ompregdescr *d)
{
    return (d->facts & (POMP_HAS_DEPEND | POMP_HAS_DOACROSS)) != 0;
}

/* Enters a loop where an observer distinguishes kinds of loops or gets their chunks. */
static OPARI_NOINLINE unsigned pomp_loop_enter(struct opari_thread *t, struct ompregdescr *d,
                                               unsigned kind, uint64_t count, const void *ra)
{
    const unsigned operation = opari_work_enter(t, d, pomp_work_type(d, kind), count, ra);
#ifdef POMP_INTERPOSE
    if (POMP_BETWEEN && kind == POMP_KIND_FOR && opari_has_callback(ompt_callback_dispatch))
        pomp_static_chunk(opari_self);
#endif
    return operation;
}

/* These functions serve all regions for which OpenMP has no events. They and those below return
 * what remains for the trace recorder to do; see ompt_bridge/src/core/direct.c. */
static OPARI_NOINLINE unsigned pomp_region_enter(struct opari_thread *t, struct ompregdescr *d,
                                                 int what, const void *ra)
{
    return opari_region_enter(t, d, what, opari_region_work, -1, NULL, ra);
}

static OPARI_NOINLINE unsigned pomp_region_exit(struct opari_thread *t, const void *ra)
{
    return opari_region_exit(t, opari_region_work, NULL, ra);
}

/* These serve the regions that wait. */
static OPARI_NOINLINE unsigned pomp_wait_enter(struct opari_thread *t, struct ompregdescr *d,
                                               int state, const void *ra)
{
    return opari_region_enter(t, d, OPARI_AT_REGION, opari_region_wait, state, NULL, ra);
}

static OPARI_NOINLINE unsigned pomp_wait_exit(struct opari_thread *t, const void *ra)
{
    return opari_region_exit(t, opari_region_wait, NULL, ra);
}

OPARI_INLINE unsigned pomp_for_enter(struct opari_thread *t, struct ompregdescr *d, unsigned kind,
                                     uint64_t count, const void *ra)
{
    if (OPARI_LIKELY(!OPARI_LOAD(&opari_loops_differ)))
        return opari_work_enter(t, d, ompt_work_loop, count, ra);
    return pomp_loop_enter(t, d, kind, count, ra);
}

/* Notes that the runtime reduces over tasks or makes a target task. Outside of any region, libgomp
 * 12 to 14 creates a team for that, in which the thread stays. libgomp then relies on uninitialized
 * memory of that team. Because of that team, it also frees the memory of each later team while
 * threads are in that team's last barrier. A later region may therefore never end. The region that
 * the bridge adds when the process exits would hang a program that otherwise ends. */
static OPARI_NOINLINE void pomp_rule_out_pool(void)
{
    if (omp_get_level != NULL && omp_get_level() == 0)
        OPARI_STORE(&opari_pool_ruled_out, 1);
}

/* Does the same where only the program's text shows it; the text does not say which tasks
 * reduce. */
OPARI_INLINE void pomp_may_rule_out_pool(const struct ompregdescr *d, unsigned facts)
{
#ifdef POMP_TEXT_TARGETS
    if (OPARI_UNLIKELY((d->facts & facts) != 0))
        pomp_rule_out_pool();
#else
    (void)d;
    (void)facts;
#endif
}

OPARI_INLINE unsigned pomp_enter(struct opari_thread *t, struct ompregdescr *d, unsigned kind,
                                 const void *ra)
{
    unsigned operation = 0;
    switch (kind) {
    case POMP_KIND_FOR:
    case POMP_KIND_LOOP:
        pomp_may_rule_out_pool(d, POMP_HAS_REDUCTION);
        return pomp_for_enter(t, d, kind, opari_announced(t, d), ra);
    case POMP_KIND_SECTIONS:
        pomp_may_rule_out_pool(d, POMP_HAS_REDUCTION);
        return opari_work_enter(t, d, ompt_work_sections, (uint64_t)d->num_sections, ra);
    case POMP_KIND_DISTRIBUTE:
        operation = opari_work_enter(t, d, ompt_work_distribute, opari_announced(t, d), ra);
#ifdef POMP_INTERPOSE
        if (OPARI_UNLIKELY(opari_has_callback(ompt_callback_dispatch)) && POMP_BETWEEN)
            pomp_team_chunk(opari_self);
#endif
        break;
    case POMP_KIND_WORKSHARE:
    case POMP_KIND_SCOPE:
        pomp_may_rule_out_pool(d, POMP_HAS_REDUCTION);
        return opari_work_enter(t, d, pomp_work_type(d, kind), 0, ra);
    case POMP_KIND_TASKLOOP:
        pomp_may_rule_out_pool(d, POMP_HAS_REDUCTION);
        opari_taskloop_enter(t, d, (d->facts & POMP_HAS_NOGROUP) == 0, opari_announced(t, d), ra);
        break;
    case POMP_KIND_SINGLE: return pomp_region_enter(t, d, OPARI_AT_SINGLE, ra);
    case POMP_KIND_TASKGROUP:
        pomp_may_rule_out_pool(d, POMP_HAS_IN_REDUCTION);
        opari_taskgroup_enter(t, d, ra);
        break;
    case POMP_KIND_ATOMIC: return pomp_wait_enter(t, d, ompt_state_wait_atomic, ra);
    case POMP_KIND_CANCEL:
    case POMP_KIND_CANCELLATION_POINT:
        if (!OPARI_LOAD(&opari_cancels))
            OPARI_STORE(&opari_cancels, 1);
        return pomp_region_enter(t, d, OPARI_AT_CANCEL, ra);
    case POMP_KIND_TASKYIELD:
        operation = pomp_region_enter(t, d, OPARI_AT_REGION, ra);
        opari_self->top->flags |= OPARI_ENTRY_YIELD;
        break;
    case POMP_KIND_TARGET: /* all constructs of the target family */
        pomp_may_rule_out_pool(d, d->kind == POMP_KIND_TARGET ? POMP_HAS_NOWAIT : 0);
        operation = pomp_region_enter(t, d, OPARI_AT_REGION, ra);
#ifdef POMP_TEXT_TARGETS
        if (OPARI_UNLIKELY(OPARI_LOAD(&opari_targets_observed)))
            pomp_text_target(opari_self, d, ra);
#endif
        break;
    default: return pomp_region_enter(t, d, OPARI_AT_REGION, ra);
    }
    return operation;
}

OPARI_INLINE unsigned pomp_begin(struct opari_thread *t, struct ompregdescr *d, unsigned kind,
                                 const void *ra)
{
    switch (kind) {
    case POMP_KIND_SINGLE: return opari_single_begin(t, ra);
    case POMP_KIND_MASTER:
    case POMP_KIND_MASKED: return opari_masked_begin(t, d, ra);
    case POMP_KIND_SECTION:
        if (OPARI_LIKELY(t->top->what ==
                         OPARI_AT_WORK)) /* unless parallel sections was not split */
            opari_raise_dispatch(t, ompt_dispatch_section,
                                 (ompt_data_t){.ptr = (void *)(uintptr_t)ra});
        if (!opari_has_callback(OPARI_EVENT_REGION))
            return 0;
        return pomp_region_enter(opari_self, d, OPARI_AT_SECTION, ra);
    default: break;
    }
    return 0;
}

OPARI_INLINE unsigned pomp_end_of_block(struct opari_thread *t, unsigned kind, const void *ra,
                                        void *frame)
{
    switch (kind) {
    case POMP_KIND_SINGLE: return opari_single_end(t, ra);
    case POMP_KIND_MASTER:
    case POMP_KIND_MASKED: return opari_masked_end(t, ra);
    case POMP_KIND_SECTION: return pomp_region_exit(t, ra);
    case POMP_KIND_TASKGROUP: opari_taskgroup_end(t, ra, frame); break;
    default: break;
    }
    return 0;
}

OPARI_INLINE unsigned pomp_exit(struct opari_thread *t, const struct ompregdescr *d, unsigned kind,
                                const void *ra)
{
    switch (kind) {
    case POMP_KIND_FOR:
    case POMP_KIND_SECTIONS:
    case POMP_KIND_WORKSHARE:
    case POMP_KIND_SCOPE:
    case POMP_KIND_DISTRIBUTE:
    case POMP_KIND_LOOP: return opari_work_exit(t, ra);
    case POMP_KIND_TASKLOOP: opari_taskloop_exit(t); break;
    case POMP_KIND_SINGLE: return opari_single_exit(t, ra);
    case POMP_KIND_TASKGROUP: opari_taskgroup_exit(t, ra); break;
    case POMP_KIND_ATOMIC: return pomp_wait_exit(t, ra);
    case POMP_KIND_FLUSH: return opari_flush(t, d, ra);
    case POMP_KIND_TARGET:
        if (OPARI_UNLIKELY((t->top->flags & OPARI_ENTRY_TARGET) != 0))
            opari_target_left(t, t->top, ra);
        return pomp_region_exit(opari_self, ra);
    default: return pomp_region_exit(t, ra);
    }
    return 0;
}

/* Returns whether the call is an event; not every call is. */
OPARI_INLINE int pomp_is_event(enum pomp_type type, unsigned kind)
{
    switch (kind) {
    case POMP_KIND_CRITICAL:
    case POMP_KIND_ORDERED: return type != POMP_TYPE_end;     /* the exit raises the release */
    case POMP_KIND_TASKGROUP: return type != POMP_TYPE_begin; /* enter has raised it */
    case POMP_KIND_SCOPE: return type == POMP_TYPE_enter || type == POMP_TYPE_exit;
    case POMP_KIND_FLUSH: return type != POMP_TYPE_enter || opari_has_callback(OPARI_EVENT_REGION);
    case POMP_KIND_SECTION:
        return opari_has_callback(OPARI_EVENT_REGION) ||
               (type == POMP_TYPE_begin && opari_has_callback(ompt_callback_dispatch));
    default: return 1;
    }
}

/* Returns the kind of the entry that the call belongs to, which is usually the innermost one.
 * OPARI_AT_BASE means that the call makes an entry. */
OPARI_INLINE int pomp_entry_kind(enum pomp_type type, unsigned kind)
{
    if (type == POMP_TYPE_enter)
        return OPARI_AT_BASE;
    switch (kind) {
    case POMP_KIND_FOR:
    case POMP_KIND_SECTIONS:
    case POMP_KIND_WORKSHARE:
    case POMP_KIND_SCOPE:
    case POMP_KIND_DISTRIBUTE:
    case POMP_KIND_LOOP:
    case POMP_KIND_TASKLOOP: return OPARI_AT_WORK;
    case POMP_KIND_SINGLE: return type == POMP_TYPE_end ? OPARI_AT_SINGLE_BODY : OPARI_AT_SINGLE;
    case POMP_KIND_MASTER:
    case POMP_KIND_MASKED: return type == POMP_TYPE_begin ? OPARI_AT_BASE : OPARI_AT_MASKED;
    case POMP_KIND_SECTION: return type == POMP_TYPE_begin ? OPARI_AT_BASE : OPARI_AT_SECTION;
    case POMP_KIND_TASKGROUP: return OPARI_AT_TASKGROUP;
    case POMP_KIND_CANCEL:
    case POMP_KIND_CANCELLATION_POINT: return OPARI_AT_CANCEL;
    case POMP_KIND_FLUSH: return OPARI_AT_BASE; /* see opari_flush */
    default: return OPARI_AT_REGION;
    }
}

/* Returns whether the call makes an entry. */
OPARI_INLINE int pomp_puts(enum pomp_type type, unsigned kind)
{
    switch (kind) {
    case POMP_KIND_SINGLE:
    case POMP_KIND_CRITICAL:
    case POMP_KIND_ORDERED: return type == POMP_TYPE_enter;
    default: return type == POMP_TYPE_enter || type == POMP_TYPE_begin;
    }
}
