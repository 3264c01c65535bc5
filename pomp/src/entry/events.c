/* events.c: one entry point per event, which finds the thread and passes the event on to the
 * bridge.
 */
#include "../state/state.h"

/* These functions prepare for an event that finds an unusual state. The event may be the thread's
 * first, or interrupt another one. The entry that it belongs to may not be innermost, or the stack
 * may have no room for a new one. The entry point jumps to them and they jump back to it. So the
 * entry point saves no registers across a call, and its caller and frame are the program's. */
typedef void (*pomp_entry_t)(struct ompregdescr *d);

static OPARI_COLD void pomp_unready(struct ompregdescr *d, pomp_entry_t entry)
{
    if (opari_thread_first() != NULL)
        entry(d);
}

static OPARI_COLD int pomp_find_below(struct opari_thread *t, struct ompregdescr *d, int what)
{
    const int found = opari_find_below(t, d, what);
    if (!found && what == OPARI_AT_SINGLE_BODY && (d->facts & POMP_HAS_NOWAIT) == 0 &&
        t->top != t->limit) /* it will wait as the thread that executed the block does */
        (void)opari_put_flags(t, d, OPARI_AT_SINGLE, OPARI_ENTRY_ACQUIRED, opari_region_work, NULL);
    return found;
}

static OPARI_COLD void pomp_not_innermost(struct opari_thread *t, struct ompregdescr *d,
                                          pomp_entry_t entry, int what)
{
    const int found = pomp_find_below(t, d, what);
    opari_event_end();
    if (found)
        entry(d);
}

static OPARI_COLD void pomp_no_room(struct opari_thread *t, struct ompregdescr *d,
                                    pomp_entry_t entry)
{
    const int room = opari_has_room(t);
    opari_event_end();
    if (room)
        entry(d);
}

/* operation is what remains for the trace recorder to do; see ompt_bridge/src/core/direct.c. */
OPARI_INLINE void pomp_event_end(struct ompregdescr *d, unsigned operation)
{
    if (operation != 0)
        opari_finish_traced(d, operation, OPARI_READY);
    else
        opari_event_end();
}

OPARI_INLINE void pomp_event(struct ompregdescr *d, enum pomp_type type, unsigned kind,
                             pomp_entry_t entry, const void *ra, void *frame)
{
    if (!pomp_is_event(type, kind))
        return;
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL)) {
        pomp_unready(d, entry);
        return;
    }
    opari_event_enter(t, d);
    const int entry_kind = pomp_entry_kind(type, kind);
    if (entry_kind != OPARI_AT_BASE && OPARI_UNLIKELY(!opari_is_at(t, d, entry_kind))) {
        pomp_not_innermost(t, d, entry, entry_kind);
        return;
    }
    if (pomp_puts(type, kind) && OPARI_UNLIKELY(t->top == t->limit)) {
        pomp_no_room(t, d, entry);
        return;
    }
    unsigned operation = 0;
    switch (type) {
    case POMP_TYPE_enter: operation = pomp_enter(t, d, kind, ra); break;
    case POMP_TYPE_begin: operation = pomp_begin(t, d, kind, ra); break;
    case POMP_TYPE_end: operation = pomp_end_of_block(t, kind, ra, frame); break;
    case POMP_TYPE_exit: operation = pomp_exit(t, d, kind, ra); break;
    }
    pomp_event_end(d, operation);
}

#define POMP_OWN(name, type, kind, like) \
    POMP_OFTEN void POMP_##name##_##type(struct ompregdescr *d) \
    { \
        pomp_event(d, POMP_TYPE_##type, POMP_KIND_##kind, POMP_##name##_##type, POMP_CALLER, \
                   POMP_FRAME); \
    }

/* These are defined in lazy.c. */
#define POMP_ELSEWHERE(name, type, kind, like)
#define POMP_LIKE_Barrier_enter ~, POMP_ELSEWHERE, Barrier_enter
#define POMP_LIKE_Barrier_exit ~, POMP_ELSEWHERE, Barrier_exit
#define POMP_LIKE_Taskwait_enter ~, POMP_ELSEWHERE, Taskwait_enter
#define POMP_LIKE_Taskwait_exit ~, POMP_ELSEWHERE, Taskwait_exit
#define POMP_LIKE_Master_begin ~, POMP_ELSEWHERE, Master_begin
#define POMP_LIKE_Master_end ~, POMP_ELSEWHERE, Master_end
#define POMP_LIKE_Critical_enter ~, POMP_ELSEWHERE, Critical_enter
#define POMP_LIKE_Critical_begin ~, POMP_ELSEWHERE, Critical_begin
#define POMP_LIKE_Critical_exit ~, POMP_ELSEWHERE, Critical_exit
#define POMP_LIKE_Ordered_enter ~, POMP_ELSEWHERE, Ordered_enter
#define POMP_LIKE_Ordered_begin ~, POMP_ELSEWHERE, Ordered_begin
#define POMP_LIKE_Ordered_exit ~, POMP_ELSEWHERE, Ordered_exit

/* Events with identical code share one function. */
#define POMP_ALIAS(name, type, kind, like) \
    POMP_API void POMP_##name##_##type(struct ompregdescr *d) __attribute__((alias("POMP" \
                                                                                   "_" #like)));
#define POMP_LIKE_Do_enter ~, POMP_ALIAS, For_enter
#define POMP_LIKE_Do_exit ~, POMP_ALIAS, For_exit
#define POMP_LIKE_Sections_exit ~, POMP_ALIAS, For_exit
#define POMP_LIKE_Workshare_exit ~, POMP_ALIAS, For_exit
#define POMP_LIKE_Scope_exit ~, POMP_ALIAS, For_exit
#define POMP_LIKE_Loop_exit ~, POMP_ALIAS, For_exit
#define POMP_LIKE_Distribute_exit ~, POMP_ALIAS, For_exit
#define POMP_LIKE_Masked_begin ~, POMP_ALIAS, Master_begin
#define POMP_LIKE_Masked_end ~, POMP_ALIAS, Master_end
#define POMP_LIKE_Cancellation_point_enter ~, POMP_ALIAS, Cancel_enter
#define POMP_LIKE_Cancellation_point_exit ~, POMP_ALIAS, Cancel_exit
#define POMP_LIKE_Taskyield_exit ~, POMP_ALIAS, Teams_exit
#define POMP_LIKE_Target_data_enter ~, POMP_ALIAS, Target_enter
#define POMP_LIKE_Target_data_exit ~, POMP_ALIAS, Target_exit
#define POMP_LIKE_Target_enter_data_enter ~, POMP_ALIAS, Target_enter
#define POMP_LIKE_Target_enter_data_exit ~, POMP_ALIAS, Target_exit
#define POMP_LIKE_Target_exit_data_enter ~, POMP_ALIAS, Target_enter
#define POMP_LIKE_Target_exit_data_exit ~, POMP_ALIAS, Target_exit
#define POMP_LIKE_Target_update_enter ~, POMP_ALIAS, Target_enter
#define POMP_LIKE_Target_update_exit ~, POMP_ALIAS, Target_exit
#define POMP_LIKE_Interop_enter ~, POMP_ALIAS, Teams_enter
#define POMP_LIKE_Interop_exit ~, POMP_ALIAS, Teams_exit
#define POMP_LIKE_Dispatch_enter ~, POMP_ALIAS, Teams_enter
#define POMP_LIKE_Dispatch_exit ~, POMP_ALIAS, Teams_exit

/* Selects POMP_OWN where POMP_LIKE_name_type is not defined. */
#define POMP_HOW(...) POMP_HOW_(__VA_ARGS__)
#define POMP_HOW_(probe, how, like, ...) how
#define POMP_WHOM(...) POMP_WHOM_(__VA_ARGS__)
#define POMP_WHOM_(probe, how, like, ...) like
#define POMP_DEFINE(how, name, type, kind, like) POMP_DEFINE_(how, name, type, kind, like)
#define POMP_DEFINE_(how, name, type, kind, like) how(name, type, kind, like)
#define POMP_X(name, type, kind) \
    POMP_DEFINE(POMP_HOW(POMP_LIKE_##name##_##type, POMP_OWN, ~, ~), name, type, kind, \
                POMP_WHOM(POMP_LIKE_##name##_##type, POMP_OWN, ~, ~))
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X

POMP_OFTEN void POMP_Single_other(struct ompregdescr *d)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL)) {
        pomp_unready(d, POMP_Single_other);
        return;
    }
    opari_event_enter(t, d);
    opari_raise_single_other(t, POMP_CALLER);
    opari_event_end();
}

/* Announces a value of the construct that the thread meets next. */
static OPARI_COLD void pomp_unready_announced(struct ompregdescr *d, unsigned long value)
{
    if (opari_thread_first() != NULL)
        POMP_Iterations(d, value);
}

POMP_OFTEN void POMP_Iterations(struct ompregdescr *d, unsigned long iterations)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL)) {
        pomp_unready_announced(d, iterations);
        return;
    }
    opari_event_enter(t, d);
    t->announced.value = iterations;
    t->announced.region = d;
    OPARI_SIGNAL_FENCE();
    t->regions.event = OPARI_READY;
}

/* Handles the loops other than for, which have entry points of their own. */
static OPARI_COLD void pomp_counted_other(struct ompregdescr *d, unsigned long iterations)
{
    POMP_Iterations(d, iterations);
    const pomp_entry_t entry = d->kind == POMP_KIND_TASKLOOP ? POMP_Taskloop_enter
                               : d->kind == POMP_KIND_LOOP   ? POMP_Loop_enter
                                                             : POMP_Distribute_enter;
    entry(d);
}

/* Does the work of pomp_unready and pomp_no_room, then repeats the call. */
static OPARI_COLD void pomp_unready_counted(struct ompregdescr *d, unsigned long iterations)
{
    struct opari_thread *t = opari_event_begin(d);
    const int room = t != NULL && opari_has_room(t);
    if (t != NULL)
        opari_event_end();
    if (room)
        POMP_Counted_enter(d, iterations);
}

POMP_OFTEN void POMP_Counted_enter(struct ompregdescr *d, unsigned long iterations)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(d->kind != POMP_KIND_FOR)) {
        pomp_counted_other(d, iterations);
        return;
    }
    if (OPARI_UNLIKELY(t == NULL || t->top == t->limit)) {
        pomp_unready_counted(d, iterations);
        return;
    }
    opari_event_enter(t, d);
    pomp_event_end(d, pomp_for_enter(t, d, POMP_KIND_FOR, iterations, POMP_CALLER));
}

POMP_API void POMP_Final(struct ompregdescr *d, int final_value)
{
    POMP_Iterations(d, final_value != 0);
}

POMP_API void POMP_Begin(struct ompregdescr *d, const void *user)
{
    struct opari_thread *t = opari_event_begin(d);
    unsigned operation = 0;
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (opari_has_room(t))
        operation =
            opari_region_enter(t, d, OPARI_AT_USER, opari_region_work, -1, user, POMP_CALLER);
    pomp_event_end(d, operation);
}

POMP_API void POMP_End(struct ompregdescr *d, const void *user)
{
    struct opari_thread *t = opari_event_begin(d);
    unsigned operation = 0;
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (opari_seek(t, d, OPARI_AT_USER))
        operation = opari_region_exit(t, opari_region_work, user, POMP_CALLER);
    pomp_event_end(d, operation);
}
