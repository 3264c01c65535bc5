/* lazy.c: the entry points of light constructs, see ompt_bridge/src/constructs/lazy.c, and of the barriers of worksharing constructs. */
#include "../state/state.h"

/* The heavy ways: the construct is not what the thread is at. It has an entry, or what is open in it has not been closed. The calling thread, entered,
 * that entry being innermost; null where there is none. */
static OPARI_APART struct opari_thread *pomp_heavy(struct ompregdescr *d, int what)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL || opari_is_at(t, d, what) || pomp_find_below(t, d, what))
        return t;
    opari_event_end();
    return NULL;
}

static OPARI_APART void pomp_heavy_sync_exit(struct ompregdescr *d, int what)
{
    struct opari_thread *t = pomp_heavy(d, what);
    if (t != NULL)
        pomp_event_end(d, opari_sync_exit(t, what == OPARI_AT_TASKWAIT ? (int)ompt_sync_region_taskwait : 0));
}

OPARI_FOR_SIZE
static OPARI_APART void pomp_heavy_Master_end(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = pomp_heavy(d, OPARI_AT_MASKED);
    if (t != NULL)
        pomp_event_end(d, opari_masked_end(t, ra));
}

static OPARI_APART void pomp_heavy_mutex_begin(struct ompregdescr *d)
{
    struct opari_thread *t = pomp_heavy(d, OPARI_AT_MUTEX);
    if (t != NULL)
        pomp_event_end(d, opari_mutex_begin(t, t->top->detail));
}

static OPARI_APART void pomp_heavy_mutex_exit(struct ompregdescr *d, const void *ra)
{
    const int waits = pomp_is_stand_alone(d);
    struct opari_thread *t = pomp_heavy(d, waits ? OPARI_AT_REGION : OPARI_AT_MUTEX);
    if (t != NULL)
        pomp_event_end(d, waits ? pomp_wait_exit(t, ra) : opari_mutex_exit(t, t->top->detail, ra));
}

/* A thread that has executed no block may be unknown. */
static OPARI_APART void pomp_heavy_body_end(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = opari_self != NULL ? pomp_heavy(d, OPARI_AT_SINGLE_BODY) : NULL;
    if (t == NULL)
        return;
    opari_fire_work(t, ompt_work_single_executor, ompt_scope_end, 1, ra);
    opari_drop_top();
    opari_event_end();
}

/* Without a block, see pomp_is_stand_alone. */
static OPARI_APART void pomp_ordered_waits(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        pomp_event_end(d, opari_has_room(t) ? pomp_wait_enter(t, d, ompt_state_wait_ordered, ra) : 0);
}
OPARI_FOR_SPEED

OPARI_INLINE void pomp_light_end(struct opari_thread *t, struct ompregdescr *d, unsigned light, unsigned operation)
{
    if (operation != 0)
        opari_finish_traced(d, operation, OPARI_LIGHT(light));
    else
        opari_light_leave(t, light);
}

/* An entry point that begins a construct, on thread t: tells is what it does. */
#define POMP_LIGHT_BEGIN(name, light, tells)                                                                                   \
    do {                                                                                                                       \
        struct opari_thread *t = opari_ready();                                                                                \
        if (OPARI_UNLIKELY(t == NULL))                                                                                         \
            pomp_unready(d, POMP_##name);                                                                                      \
        else                                                                                                                   \
            pomp_light_end(t, d, light, tells);                                                                                \
    } while (0)

/* The same of one that goes on with the construct that the thread is at: before and then. */
#define POMP_LIGHT_ON(before, light, tells, heavy)                                                                             \
    do {                                                                                                                       \
        struct opari_thread *t = opari_here;                                                                                   \
        if (OPARI_LIKELY(t->regions.event == OPARI_LIGHT(before))) {                                                           \
            opari_event_enter(t, d);                                                                                           \
            if (opari_light_is(t, d)) {                                                                                        \
                pomp_light_end(t, d, light, tells);                                                                            \
                return;                                                                                                        \
            }                                                                                                                  \
            opari_light_other(t, before);                                                                                      \
        }                                                                                                                      \
        heavy;                                                                                                                 \
    } while (0)

/* As parts of Fortran's joined calls, which bring the address of the program's call; seldom but for exits of barriers. */
#define pomp_among_Master_begin pomp_on_Master_begin
#define pomp_among_Master_end pomp_heavy_Master_end
#define pomp_among_Critical_begin(d, ra) pomp_heavy_mutex_begin(d)
#define pomp_among_Critical_exit pomp_heavy_mutex_exit
#define pomp_among_Ordered_begin(d, ra) pomp_heavy_mutex_begin(d)
#define pomp_among_Ordered_exit pomp_heavy_mutex_exit
#define pomp_among_Barrier_exit(d, ra) pomp_on_Barrier_exit(d)
#define pomp_among_Taskwait_exit(d, ra) pomp_on_Taskwait_exit(d)

OPARI_INLINE void pomp_on_Master_end(struct ompregdescr *d, const void *ra)
{
    POMP_LIGHT_ON(OPARI_LIGHT_MASKED, OPARI_LIGHT_NONE, opari_tell_masked(TRC_AT(TRC_WORK, ompt_scope_end), t, ompt_scope_end, ra),
                  pomp_heavy_Master_end(d, ra));
}

OPARI_INLINE void pomp_on_Critical_begin(struct ompregdescr *d)
{
    POMP_LIGHT_ON(OPARI_LIGHT_CRITICAL_ASKED, OPARI_LIGHT_CRITICAL, opari_light_mutex_begin(t, ompt_mutex_critical), pomp_heavy_mutex_begin(d));
}

OPARI_INLINE void pomp_on_Critical_exit(struct ompregdescr *d, const void *ra)
{
    POMP_LIGHT_ON(OPARI_LIGHT_CRITICAL, OPARI_LIGHT_NONE, opari_light_mutex_exit(t, ompt_mutex_critical, ra), pomp_heavy_mutex_exit(d, ra));
}

OPARI_INLINE void pomp_on_Ordered_begin(struct ompregdescr *d)
{
    POMP_LIGHT_ON(OPARI_LIGHT_ORDERED_ASKED, OPARI_LIGHT_ORDERED, opari_light_mutex_begin(t, ompt_mutex_ordered), pomp_heavy_mutex_begin(d));
}

OPARI_INLINE void pomp_on_Ordered_exit(struct ompregdescr *d, const void *ra)
{
    POMP_LIGHT_ON(OPARI_LIGHT_ORDERED, OPARI_LIGHT_NONE, opari_light_mutex_exit(t, ompt_mutex_ordered, ra), pomp_heavy_mutex_exit(d, ra));
}

/* A taskwait with depend is told as the task that it is where a tool of 5.x listens. 0: none does. */
OPARI_FOR_SIZE
static OPARI_COLD int pomp_waits_as_task(struct ompregdescr *d, ompt_scope_endpoint_t at, const void *ra, void *frame)
{
    if (OPARI_ACQUIRE(&opari_tools.count) == opari_own_tools || opari_older.generation != 0)
        return 0;
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return 1;
    if (at == ompt_scope_end)
        opari_taskwait_leave(t, d);
    else if (opari_has_task_room(t))
        opari_taskwait_begin(t, d, ra, frame);
    opari_event_end();
    return 1;
}
OPARI_FOR_SPEED

#define POMP_WAITS_AS_TASK(d, at, ra, frame) (OPARI_UNLIKELY(((d)->facts & POMP_HAS_DEPEND) != 0) && pomp_waits_as_task(d, at, ra, frame))

OPARI_INLINE void pomp_on_Taskwait_exit(struct ompregdescr *d)
{
    if (POMP_WAITS_AS_TASK(d, ompt_scope_end, NULL, NULL))
        return;
    POMP_LIGHT_ON(OPARI_LIGHT_TASKWAIT, OPARI_LIGHT_NONE, opari_light_sync_exit(t, 1),
                  pomp_heavy_sync_exit(d, OPARI_AT_TASKWAIT));
}

OPARI_INLINE void pomp_on_Barrier_exit(struct ompregdescr *d)
{
    POMP_LIGHT_ON(OPARI_LIGHT_BARRIER, OPARI_LIGHT_NONE, opari_light_sync_exit(t, 0), pomp_heavy_sync_exit(d, OPARI_AT_BARRIER));
}

OPARI_INLINE unsigned pomp_light_masked(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    opari_light_enter(t, d, ra);
    return opari_tell_masked(TRC_AT(TRC_WORK, ompt_scope_begin), t, ompt_scope_begin, ra);
}

/* The thread may be in a light construct, which is settled first. */
OPARI_INLINE void pomp_on_Master_begin(struct ompregdescr *d, const void *ra)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        pomp_light_end(t, d, OPARI_LIGHT_MASKED, pomp_light_masked(t, d, ra));
}

POMP_OFTEN void POMP_Master_begin(struct ompregdescr *d) { POMP_LIGHT_BEGIN(Master_begin, OPARI_LIGHT_MASKED, pomp_light_masked(t, d, POMP_CALLER)); }
POMP_OFTEN void POMP_Master_end(struct ompregdescr *d) { pomp_on_Master_end(d, POMP_CALLER); }

/* What begins each of the others, of Fortran's text too. */
OPARI_INLINE unsigned pomp_light_critical(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    return opari_light_mutex_enter(t, d, ompt_mutex_critical, ompt_state_wait_critical, pomp_critical_id(d), (unsigned)d->hint, ra);
}

OPARI_INLINE unsigned pomp_light_ordered(struct opari_thread *t, struct ompregdescr *d, const void *ra)
{
    return opari_light_mutex_enter(t, d, ompt_mutex_ordered, ompt_state_wait_ordered, (uintptr_t)t->task->parallel + 1, 0, ra);
}

OPARI_INLINE unsigned pomp_light_taskwait(struct opari_thread *t, struct ompregdescr *d, const void *ra, void *frame)
{
    return opari_light_sync_enter(t, d, ompt_sync_region_taskwait, ompt_state_wait_taskwait, ra, frame);
}

OPARI_INLINE unsigned pomp_light_barrier(struct opari_thread *t, struct ompregdescr *d, const void *ra, void *frame)
{
    return opari_light_sync_enter(t, d, ompt_sync_region_barrier_explicit, ompt_state_wait_barrier_explicit, ra, frame);
}

POMP_OFTEN void POMP_Critical_enter(struct ompregdescr *d)
{
    POMP_LIGHT_BEGIN(Critical_enter, OPARI_LIGHT_CRITICAL_ASKED, pomp_light_critical(t, d, POMP_CALLER));
}
POMP_OFTEN void POMP_Critical_begin(struct ompregdescr *d) { pomp_on_Critical_begin(d); }
POMP_OFTEN void POMP_Critical_exit(struct ompregdescr *d) { pomp_on_Critical_exit(d, POMP_CALLER); }

POMP_OFTEN void POMP_Ordered_enter(struct ompregdescr *d)
{
    if (OPARI_UNLIKELY(pomp_is_stand_alone(d)))
        pomp_ordered_waits(d, POMP_CALLER);
    else
        POMP_LIGHT_BEGIN(Ordered_enter, OPARI_LIGHT_ORDERED_ASKED, pomp_light_ordered(t, d, POMP_CALLER));
}
POMP_OFTEN void POMP_Ordered_begin(struct ompregdescr *d) { pomp_on_Ordered_begin(d); }
POMP_OFTEN void POMP_Ordered_exit(struct ompregdescr *d) { pomp_on_Ordered_exit(d, POMP_CALLER); }

POMP_OFTEN void POMP_Taskwait_enter(struct ompregdescr *d)
{
    if (POMP_WAITS_AS_TASK(d, ompt_scope_begin, POMP_CALLER, POMP_FRAME))
        return;
    POMP_LIGHT_BEGIN(Taskwait_enter, OPARI_LIGHT_TASKWAIT, pomp_light_taskwait(t, d, POMP_CALLER, POMP_FRAME));
}
POMP_OFTEN void POMP_Taskwait_exit(struct ompregdescr *d) { pomp_on_Taskwait_exit(d); }

/* A single whose calls are joined: its block alone is told of, on the thread that executes it, until the barrier. */
OPARI_INLINE unsigned pomp_light_body(struct opari_thread *t, struct ompregdescr *d, ompt_scope_endpoint_t at, const void *ra)
{
    if (at == ompt_scope_begin)
        opari_light_enter(t, d, ra);
    opari_fire_work(t, ompt_work_single_executor, at, 1, ra);
    return 0;
}

POMP_OFTEN void POMP_Single_only_begin(struct ompregdescr *d)
{
    POMP_LIGHT_BEGIN(Single_only_begin, OPARI_LIGHT_BODY, pomp_light_body(t, d, ompt_scope_begin, POMP_CALLER));
}

POMP_OFTEN void POMP_Single_only_end(struct ompregdescr *d)
{
    POMP_LIGHT_ON(OPARI_LIGHT_BODY, OPARI_LIGHT_NONE, pomp_light_body(t, d, ompt_scope_end, POMP_CALLER), pomp_heavy_body_end(d, POMP_CALLER));
}

/* The barrier of a construct whose calls are joined, where that is not innermost: what it left open is closed, or it has no entry; a single has none on
 * the threads that do not execute it. These are jumped to and jump back. */
POMP_BESIDE void pomp_own_barrier_joined(struct ompregdescr *d);

static OPARI_APART void pomp_own_barrier_other(struct opari_thread *t, struct ompregdescr *d)
{
    const int single = d->kind == POMP_KIND_SINGLE;
    const int found = opari_find_below(t, d, single ? OPARI_AT_SINGLE_BODY : OPARI_AT_WORK), room = opari_has_room(t);
    if (!found && room)
        (void)opari_put_flags(t, d, OPARI_AT_SINGLE, single ? 0 : OPARI_ENTRY_ACQUIRED, opari_region_work, POMP_CALLER);
    opari_event_end();
    if (found || room)
        pomp_own_barrier_joined(d);
}

POMP_BESIDE void pomp_own_barrier_joined(struct ompregdescr *d)
{
    struct opari_thread *t = opari_here;
    const int light = t->regions.event == OPARI_LIGHT(OPARI_LIGHT_BODY);
    if (OPARI_UNLIKELY(!light && !opari_is_ready(t))) {
        pomp_unready(d, pomp_own_barrier_joined);
        return;
    }
    opari_event_enter(t, d);
    if (light) {
        if (OPARI_UNLIKELY(t->light.region != d)) {
            opari_light_other(t, OPARI_LIGHT_BODY);
            pomp_unready(d, pomp_own_barrier_joined);
            return;
        }
    } else if (OPARI_UNLIKELY(t->top->region != d || (t->top->what != OPARI_AT_WORK && t->top->what != OPARI_AT_SINGLE_BODY && t->top->what != OPARI_AT_SINGLE))) {
        pomp_own_barrier_other(t, d);
        return;
    }
    opari_work_to_barrier(t, d, light, POMP_CALLER, POMP_FRAME);
    opari_light_leave(t, OPARI_LIGHT_BARRIER);
}

/* The barrier of a construct that is no barrier. */
POMP_BESIDE void pomp_own_barrier_told(struct ompregdescr *d)
{
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL)) {
        pomp_unready(d, pomp_own_barrier_told);
        return;
    }
    opari_event_enter(t, d);
    if (OPARI_UNLIKELY(t->top == t->limit)) {
        pomp_cramped(t, d, pomp_own_barrier_told);
        return;
    }
    pomp_event_end(d, pomp_own_barrier_enter(t, d, POMP_CALLER, POMP_FRAME));
}

POMP_BESIDE void pomp_own_barrier(struct ompregdescr *d)
{
    if (OPARI_LIKELY(pomp_barrier_kind(d) == ompt_sync_region_barrier_implicit_workshare && OPARI_LOAD(&pomp.joins))) {
        pomp_own_barrier_joined(d);
        return;
    }
    struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL) || !pomp_quiet_barrier(t, d, POMP_CALLER, POMP_FRAME))
        pomp_own_barrier_told(d);
}

/* That of a construct which is no barrier is told otherwise. */
POMP_OFTEN void POMP_Barrier_enter(struct ompregdescr *d)
{
    if (OPARI_UNLIKELY(d->kind != POMP_KIND_BARRIER))
        pomp_own_barrier(d);
    else
        POMP_LIGHT_BEGIN(Barrier_enter, OPARI_LIGHT_BARRIER, pomp_light_barrier(t, d, POMP_CALLER, POMP_FRAME));
}
POMP_OFTEN void POMP_Barrier_exit(struct ompregdescr *d) { pomp_on_Barrier_exit(d); }
