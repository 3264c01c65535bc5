/* dispatchers.c: dispatchers that make a call where others make a jump.
 *
 * With optimization (-O2), the compiler turns a dispatcher's last call into a jump, and the
 * function jumped to sees the program as its caller. At -O0, -O1 and -Og, and with
 * -fno-optimize-sibling-calls, it remains a call. The return address then lies in the dispatcher,
 * whose frame lies between those of the program and the library. That frame has the same size for
 * all events, since nothing in it varies.
 *
 * So the library asks the unwinder once per file which of the two it is, and how far apart the
 * frames are. From then on, functions that get the caller as an argument raise the events, as for
 * parts of merged calls. The same holds for the subroutines that announce the bounds of loops and
 * call the dispatcher.
 */
#include "../state/state.h"

#include <unwind.h>
#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetIP
#pragma weak _Unwind_GetCFA
#pragma weak _Unwind_GetRegionStart
#pragma weak _Unwind_FindEnclosingFunction

OPARI_FOR_SIZE

/* The unwinder's search: it looks for the frame to which a function returns at ra, and then for the
 * next outer frame. If begin is not 0, the frame must be that of the function that begins there. */
struct pomp_fortran_search {
    uintptr_t ra, begin, frame;
    int left, found;
};

/* In this callback, the CFA is the stack pointer of a frame's function at its call. For the
 * program, that is just above the return address that the call stored. */
static OPARI_COLD _Unwind_Reason_Code pomp_fortran_step(struct _Unwind_Context *c, void *to)
{
    struct pomp_fortran_search *s = to;
    if (s->found) {
        const uintptr_t frame = (uintptr_t)_Unwind_GetCFA(c);
        if (((const uintptr_t *)frame)[-1] == (uintptr_t)_Unwind_GetIP(c))
            s->frame = frame;
        return _URC_END_OF_STACK;
    }
    s->found = (uintptr_t)_Unwind_GetIP(c) == s->ra &&
               (s->begin == 0 || s->begin == (uintptr_t)_Unwind_GetRegionStart(c));
    return --s->left > 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Without tables for the library's own code, the unwinder would end the process. A static program
 * no longer has them when it ends. */
static OPARI_COLD int pomp_fortran_unwinds(void)
{
    return _Unwind_Backtrace != NULL && _Unwind_GetIP != NULL && _Unwind_GetCFA != NULL &&
           _Unwind_GetRegionStart != NULL && _Unwind_FindEnclosingFunction != NULL &&
           _Unwind_FindEnclosingFunction((void *)(uintptr_t)pomp_fortran_step) != NULL;
}

/* Returns how many bytes frame, the end of the frame that returns to ra, lies below the end of the
 * frame that contains ra. Returns 0 if ra is not in the function that begins at begin, or if that
 * is unknown. */
static OPARI_COLD ptrdiff_t pomp_fortran_distance(const void *begin, const void *ra,
                                                  const void *frame)
{
    struct pomp_fortran_search s = {(uintptr_t)ra, (uintptr_t)begin, 0, 16, 0};
    if (pomp_fortran_unwinds())
        (void)_Unwind_Backtrace(pomp_fortran_step, &s);
    return s.frame > (uintptr_t)frame ? (ptrdiff_t)(s.frame - (uintptr_t)frame) : 0;
}

/* Does the same and keeps the result for the next time. The dispatcher has one or two such places,
 * and each number of collapsed loops has one. */
static OPARI_COLD ptrdiff_t pomp_fortran_measure(struct pomp_fortran_way *w, const void *begin,
                                                 const void *ra, const void *frame)
{
    const ptrdiff_t distance = pomp_fortran_distance(begin, ra, frame);
    if (pthread_mutex_trylock(&pomp_fortran_lock) !=
        0) /* its holder may be what a signal handler interrupts */
        return distance;
    int known = 0;
    for (int i = 0; i < w->places; i++)
        known |= w->place[i].ra == ra;
    if (!known && w->places < POMP_FORTRAN_PLACES) {
        w->place[w->places].ra = ra;
        w->place[w->places].distance = distance;
        OPARI_RELEASE(&w->places, w->places + 1);
    }
    pthread_mutex_unlock(&pomp_fortran_lock);
    return distance;
}

static ptrdiff_t pomp_fortran_above(struct pomp_fortran_way *w, const void *begin, const void *ra,
                                    const void *frame)
{
    for (int i = OPARI_ACQUIRE(&w->places) - 1; i >= 0; i--)
        if (w->place[i].ra == ra)
            return w->place[i].distance;
    return pomp_fortran_measure(w, begin, ra, frame);
}

static void pomp_fortran_enter_part(struct ompregdescr *d, const void *ra, void *frame)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    switch (d->kind) {
    case POMP_KIND_CRITICAL:
        pomp_lazy_end(t, d, OPARI_LAZY_CRITICAL_ASKED, pomp_lazy_critical(t, d, ra));
        return;
    case POMP_KIND_ORDERED:
        if (pomp_is_stand_alone(d))
            break;
        pomp_lazy_end(t, d, OPARI_LAZY_ORDERED_ASKED, pomp_lazy_ordered(t, d, ra));
        return;
    case POMP_KIND_TASKWAIT:
        opari_event_end();
        if (!POMP_WAITS_AS_TASK(d, ompt_scope_begin, ra, frame) &&
            (t = opari_event_begin(d)) != NULL)
            pomp_lazy_end(t, d, OPARI_LAZY_TASKWAIT, pomp_lazy_taskwait(t, d, ra, frame));
        return;
    case POMP_KIND_BARRIER:
        pomp_lazy_end(t, d, OPARI_LAZY_BARRIER, pomp_lazy_barrier(t, d, ra, frame));
        return;
    default: break;
    }
    unsigned operation = 0;
    if (pomp_is_event(POMP_TYPE_enter, d->kind) && opari_has_room(t))
        operation = d->kind == POMP_KIND_ORDERED
                        ? pomp_wait_enter(t, d, ompt_state_wait_ordered, ra)
                        : pomp_enter(t, d, d->kind, ra);
    pomp_event_end(d, operation);
}

static void pomp_fortran_counted_part(struct ompregdescr *d, const void *ra, void *frame)
{
    POMP_Iterations(d, pomp_fortran_iterations);
    pomp_fortran_iterations = 0;
    pomp_fortran_enter_part(d, ra, frame);
}

/* Enters the barrier of a construct that is not a barrier itself, where calls are merged. Makes an
 * entry for a construct that has none. */
static void pomp_fortran_own_barrier_joined(struct opari_thread *t, struct ompregdescr *d,
                                            const void *ra, void *frame)
{
    const int single = d->kind == POMP_KIND_SINGLE, what = t->top->what;
    if (t->top->region != d ||
        (what != OPARI_AT_WORK && what != OPARI_AT_SINGLE_BODY && what != OPARI_AT_SINGLE)) {
        if (!opari_find_below(t, d, single ? OPARI_AT_SINGLE_BODY : OPARI_AT_WORK)) {
            if (!opari_has_room(t)) {
                opari_event_end();
                return;
            }
            (void)opari_put_flags(t, d, OPARI_AT_SINGLE, single ? 0 : OPARI_ENTRY_ACQUIRED,
                                  opari_region_work, ra);
        }
    }
    opari_work_to_barrier(t, d, 0, ra, frame);
    opari_lazy_leave(t, OPARI_LAZY_BARRIER);
}

static void pomp_fortran_own_barrier_part(struct ompregdescr *d, const void *ra, void *frame)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    if (pomp_barrier_kind(d) == ompt_sync_region_barrier_implicit_workshare &&
        OPARI_LOAD(&pomp.merges))
        pomp_fortran_own_barrier_joined(t, d, ra, frame);
    else if (!pomp_eventless_barrier(t, d, ra, frame))
        pomp_event_end(d, opari_has_room(t) ? pomp_own_barrier_enter(t, d, ra, frame) : 0);
}

/* Enters the last barrier of a team. For a team of one thread, a tool sees no barrier, but the work
 * before it is over. */
static void pomp_fortran_last_barrier_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (pomp_fortran_ends_alone(opari_here, d))
        pomp_fortran_For_exit(d, ra, frame);
    else if (!pomp_fortran_is_alone(opari_here))
        pomp_fortran_own_barrier_part(d, ra, frame);
}

static void pomp_fortran_single_end_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (!pomp_fortran_merges()) {
        pomp_fortran_Single_end(d, ra, frame);
    } else if ((d->facts & POMP_HAS_NOWAIT) != 0) {
        pomp_fortran_executed = d;
        pomp_stacked_body_end(d, ra);
    }
}

/* Makes the call of a slot for one event, with the caller as an argument. Functions that use
 * neither code pointers nor frames are called directly. */
static void pomp_fortran_dispatch(const union pomp_fortran_slot *slot, int event, const void *ra,
                                  void *frame)
{
    struct ompregdescr *d = slot->region;
    void (*const call)(struct ompregdescr *d) = slot[event].call;
    if (d->kind == POMP_KIND_REGION && (event == POMP_FORTRAN_enter || event == POMP_FORTRAN_exit))
        pomp_fortran_user_region(d, event == POMP_FORTRAN_enter, NULL, ra);
    else if (event == POMP_FORTRAN_enter && d->kind == POMP_KIND_PARALLEL &&
             call == pomp_fortran_fork)
        pomp_fortran_fork_part(d, ra, frame);
    else if (event == POMP_FORTRAN_enter && call == pomp_fortran_task_create_begin)
        pomp_fortran_task_create_part(d, ra, frame);
    else if (call == pomp_fortran_nothing || call == pomp_fortran_merged_join ||
             (d->kind == POMP_KIND_SINGLE && event == POMP_FORTRAN_enter && pomp_fortran_merges()))
        call(d);
    else if (event == POMP_FORTRAN_enter)
        pomp_fortran_enter_part(d, ra, frame);
    else if (event == POMP_FORTRAN_COUNTED && d->kind == POMP_KIND_PARALLEL)
        pomp_fortran_fork_part(d, ra, frame);
    else if (event == POMP_FORTRAN_COUNTED)
        pomp_fortran_counted_part(d, ra, frame);
    else if (event == POMP_FORTRAN_BEGIN_WITH || event == POMP_FORTRAN_END_WITH)
        pomp_fortran_user_region(d, event == POMP_FORTRAN_BEGIN_WITH, pomp_fortran_variable, ra);
    else if (call == pomp_fortran_last_barrier_enter)
        pomp_fortran_last_barrier_part(d, ra, frame);
    else if (event == POMP_FORTRAN_BARRIER_ENTER)
        pomp_fortran_own_barrier_part(d, ra, frame);
    else if (call == pomp_fortran_synced_single_end || call == pomp_fortran_single_end)
        pomp_fortran_single_end_part(d, ra, frame);
    else if ((call != pomp_fortran_merged_end && call != pomp_fortran_last_barrier_exit) ||
             !pomp_fortran_is_alone(opari_here))
        slot[POMP_FORTRAN_AMONG + event].among(d, ra, frame);
}

static void pomp_fortran_dispatch_all(const union pomp_fortran_slot *slot, int event,
                                      const void *ra, void *frame)
{
    if ((const void *)slot->region != (const void *)slot) {
        pomp_fortran_dispatch(slot, event, ra, frame);
        return;
    }
    const union pomp_fortran_slot *s = slot + POMP_FORTRAN_JOINED;
    if (slot[POMP_FORTRAN_enter].call == pomp_fortran_last_joined &&
        pomp_fortran_is_alone(opari_here))
        return;
    for (; s[1].at != NULL; s++)
        s->at->among(POMP_FORTRAN_REGION(s->at), ra, frame);
    slot = (const union pomp_fortran_slot *)((uintptr_t)s->at &
                                             ~(uintptr_t)(POMP_FORTRAN_SLOTS_SIZE - 1));
    pomp_fortran_dispatch(slot, (int)(s->at - slot) + event - POMP_FORTRAN_enter, ra, frame);
}

/* Moves to the next outer frame and returns the return address of its function, which is the word
 * below that frame. */
OPARI_INLINE const void *pomp_fortran_up(void **frame, ptrdiff_t distance)
{
    *frame = (char *)*frame + distance;
    return ((const void *const *)*frame)[-1];
}

/* Raises an event for a dispatcher that makes a call. The program's frame is the next outer one of
 * the dispatcher's, or of the subroutine that announced bounds. */
static void pomp_fortran_dispatch_from(const union pomp_fortran_slot *way, int event,
                                       ptrdiff_t distance, const void *ra, void *frame)
{
    if (distance != 0) {
        ra = pomp_fortran_up(&frame, distance);
        if (event == POMP_FORTRAN_COUNTED &&
            (distance = pomp_fortran_above(way[POMP_FORTRAN_WAY].way, NULL, ra, frame)) != 0)
            ra = pomp_fortran_up(&frame, distance);
    }
    pomp_fortran_dispatch_all(way[POMP_FORTRAN_WAY_TO].at, event, ra, frame);
}

/* Requests the bounds of loops. Otherwise nothing would show which enters come from the subroutine
 * that can announce them. */
static void pomp_fortran_ask_bounds(struct pomp_fortran_block *b)
{
    intptr_t without_bounds = 1;
    if (OPARI_LOAD(&b->detailed) == without_bounds)
        (void)__atomic_compare_exchange_n(&b->detailed, &without_bounds, -1, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
}

static void pomp_fortran_ask_all_bounds(void)
{
    pomp_fortran_ask_bounds(&pomp_fortran_1);
#ifdef OPARI_SHARED
    if (pomp_fortran_program != NULL)
        pomp_fortran_ask_bounds(pomp_fortran_program);
#endif
}

/* The first event that a dispatcher raises this way shows whether it makes a call. If not, or if
 * there is no tool, the dispatcher finds the slots themselves from then on. */
static void pomp_fortran_from(const struct ompregdescr *slots, int event, const void *ra,
                              void *frame)
{
    const union pomp_fortran_slot *way = (const union pomp_fortran_slot *)(const void *)slots;
    struct pomp_fortran_way *w = way[POMP_FORTRAN_WAY].way;
    const ptrdiff_t distance =
        opari_tools.count > opari_own_tools ? pomp_fortran_above(w, w->dispatcher, ra, frame) : 0;
    if (distance == 0)
        OPARI_RELEASE(w->slot, (intptr_t)w->slots);
    else
        pomp_fortran_ask_all_bounds();
    pomp_fortran_dispatch_from(way, event, distance, ra, frame);
}

#define POMP_X(event) \
    static void pomp_fortran_from_##event(struct ompregdescr *d) \
    { \
        pomp_fortran_from(d, event, POMP_CALLER, POMP_FRAME); \
    }
#define POMP_FORTRAN_EACH \
    POMP_X(1) \
    POMP_X(2) \
    POMP_X(3) \
    POMP_X(4) \
    POMP_X(5) \
    POMP_X(6) \
    POMP_X(7) \
    POMP_X(8) \
    POMP_X(9)
POMP_FORTRAN_EACH
#undef POMP_X

/* Raises the event that registered the file; the dispatcher may have jumped here, too. */
static OPARI_COLD void pomp_fortran_first_from(const union pomp_fortran_slot *way, int event,
                                               const void *ra, void *frame)
{
    struct pomp_fortran_way *w = way[POMP_FORTRAN_WAY].way;
    pomp_fortran_dispatch_from(way, event, pomp_fortran_above(w, w->dispatcher, ra, frame), ra,
                               frame);
}

/* Makes the slots of a file that lead to these functions; all is the number of its regions and
 * merged calls plus one. Returns null where they are not needed, or if there is no memory. */
static OPARI_COLD union pomp_fortran_slot *pomp_fortran_ways(struct pomp_fortran_way *w,
                                                             intptr_t *slot,
                                                             const union pomp_fortran_slot *slots,
                                                             size_t all, const void *dispatcher)
{
    void *memory = NULL;
    if (!pomp_fortran_unwinds() ||
        posix_memalign(&memory, POMP_FORTRAN_SLOTS_SIZE, all * POMP_FORTRAN_SLOTS_SIZE) != 0)
        return NULL;
    *w = (struct pomp_fortran_way){slot, slots, dispatcher, 0, {{NULL, 0}}};
    union pomp_fortran_slot *way = memory;
    for (size_t i = 1; i < all; i++) {
        union pomp_fortran_slot *s = way + i * POMP_FORTRAN_SLOTS;
        s->region = (struct ompregdescr *)(void *)s;
#define POMP_X(event) s[event].call = pomp_fortran_from_##event;
        POMP_FORTRAN_EACH
#undef POMP_X
        s[POMP_FORTRAN_WAY_TO].at = slots + i * POMP_FORTRAN_SLOTS;
        s[POMP_FORTRAN_WAY].way = w;
    }
    return way;
}

OPARI_FOR_SPEED
