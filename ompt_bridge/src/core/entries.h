/* entries.h: how a thread enters and leaves an event, and the entries of its stack. All of it is
 * inline. */
#ifndef OPARI_ENTRIES_H
#define OPARI_ENTRIES_H

#include "bridge.h"

#include <string.h>

/* Gives the calling thread the record t, which is not ready, or with null takes its record away. At
 * every step a signal handler finds a record that is not ready. */
OPARI_INLINE void opari_set_self(struct opari_thread *t)
{
    if (t == NULL)
        opari_here = &opari_no_thread;
    OPARI_SIGNAL_FENCE();
    opari_self = t;
    OPARI_SIGNAL_FENCE();
    if (t != NULL)
        opari_here = t;
}

/* A thread is outside every event while regions.event is OPARI_READY. So one store begins an event,
 * and one store ends it. The word is not itself in thread-local storage, because a load of a word
 * just stored there takes nanoseconds. */
#define OPARI_LAZY(lazy) ((struct ompregdescr *)(uintptr_t)(lazy))
#define OPARI_READY OPARI_LAZY(OPARI_LAZY_NONE)

OPARI_INLINE int opari_is_ready(const struct opari_thread *t)
{
    return t->regions.event == OPARI_READY;
}

/* The calling thread's record; null before its first event and while it is inside one. */
OPARI_INLINE struct opari_thread *opari_ready(void)
{
    struct opari_thread *t = opari_here;
    return OPARI_LIKELY(opari_is_ready(t)) ? t : NULL;
}

/* The calling thread, which is ready, enters an event. */
OPARI_INLINE void opari_event_enter(struct opari_thread *t, struct ompregdescr *d)
{
    t->regions.event = d;
    OPARI_SIGNAL_FENCE();
}

/* Finds the record anew: after the call of a tool that is cheaper than to have kept it. at is
 * OPARI_READY, or the lazy construct that is open. */
OPARI_INLINE void opari_event_end_at(struct ompregdescr *at)
{
    struct opari_thread *t = opari_self;
    OPARI_SIGNAL_FENCE();
    t->regions.event = at;
}

OPARI_INLINE void opari_event_end(void) { opari_event_end_at(OPARI_READY); }

/* Doubles the stack. The old one is never freed: it is at most as large as the new one, and deep
 * stacks are rare. Returns the innermost entry. Returns null without memory or when the stack is
 * unreasonably deep; the caller then ignores the event and its end. */
static OPARI_NOINLINE struct opari_entry *opari_stack_grow(struct opari_thread *t)
{
    size_t used = (size_t)(t->top - t->stack) + 1, room = 2 * used;
    if (room > OPARI_DEEPEST)
        return NULL;
    struct opari_entry *stack = opari_memory(room * sizeof *stack);
    if (stack == NULL)
        return NULL;
    memcpy(stack, t->stack, used * sizeof *stack);
    t->stack = stack;
    t->limit = stack + room - 1;
    t->top = stack + used - 1;
    return t->top;
}

/* Ensures that there is room for one more entry; 0 when there is no memory. */
OPARI_INLINE int opari_has_room(struct opari_thread *t)
{
    return OPARI_LIKELY(t->top != t->limit) || opari_stack_grow(t) != NULL;
}

/* Whether an entry keeps the thread's state. The other entries do not change it, so their end
 * restores nothing. */
OPARI_INLINE int opari_keeps_state(int what, int detail)
{
    switch ((enum opari_what)what) {
    case OPARI_AT_CREATE:
    case OPARI_AT_SINGLE:
    case OPARI_AT_SINGLE_BODY:
    case OPARI_AT_SECTION:
    case OPARI_AT_MASKED:
    case OPARI_AT_CANCEL:
    case OPARI_AT_USER: return 0;
    case OPARI_AT_REGION: return detail == opari_region_wait;
    default: return 1;
    }
}

/* Pushes a new innermost entry. The caller has checked that there is room. */
OPARI_INLINE struct opari_entry *opari_put_flags(struct opari_thread *t, struct ompregdescr *d,
                                                 int what, int flags, int detail, const void *ra)
{
    struct opari_entry *e = t->top + 1;
    e->region = d;
    e->what = (short)what;
    e->flags = (short)flags;
    e->detail = detail;
    if (opari_keeps_state(what, detail))
        e->state = t->state;
    if (what != OPARI_AT_IMPLICIT && what != OPARI_AT_TASK && what != OPARI_AT_CREATE)
        e->ra = ra;
    t->top = e;
    return e;
}

OPARI_INLINE struct opari_entry *opari_put(struct opari_thread *t, struct ompregdescr *d, int what,
                                           int detail, const void *ra)
{
    return opari_put_flags(t, d, what, 0, detail, ra);
}

/* Removes the innermost entry, which keeps the state. */
OPARI_INLINE void opari_pop(struct opari_thread *t, struct opari_entry *e)
{
    t->state = e->state;
    t->top = e - 1;
}

/* The same after the call of a tool: the entry that was innermost before it still is. */
OPARI_INLINE void opari_pop_top(void)
{
    struct opari_thread *t = opari_self;
    t->state = t->top->state;
    t->top--;
}

/* The same for an entry that keeps no state, or whose state has been restored. */
OPARI_INLINE void opari_drop_top(void) { opari_self->top--; }

/* The program's own frames end at the enter frame while the runtime works for a task, and begin
 * again at the exit frame. Both are addresses within frames, and the enter frame is one of the
 * program's.
 *
 * The exit frame is also one of the program's where the program itself says that the task has
 * begun. Where the library calls the task's compiled function, the exit frame is the library's own,
 * the last of the runtime's. The lowest bit of the address then says so. The kind of address is
 * stored before the address: a sampler that interrupts sees both or neither. */
#define OPARI_FRAME_OF_RUNTIME ((uintptr_t)1)

OPARI_INLINE void opari_frame_init(ompt_frame_t *frame)
{
    frame->exit_frame_flags = frame->enter_frame_flags =
        ompt_frame_application | ompt_frame_stackaddress;
}

OPARI_INLINE void opari_set_enter_frame(struct opari_task *k, void *frame)
{
    k->frame.enter_frame.ptr = frame;
}

OPARI_INLINE void opari_clear_enter_frame(struct opari_task *k) { k->frame.enter_frame.ptr = NULL; }

OPARI_INLINE void opari_set_exit_frame(struct opari_task *k, void *frame)
{
    const int runtime = ((uintptr_t)frame & OPARI_FRAME_OF_RUNTIME) != 0;
    OPARI_STORE(&k->frame.exit_frame_flags,
                ompt_frame_stackaddress | (runtime ? ompt_frame_runtime : ompt_frame_application));
    k->frame.exit_frame.ptr = (void *)((uintptr_t)frame & ~OPARI_FRAME_OF_RUNTIME);
}

OPARI_INLINE void opari_clear_exit_frame(struct opari_task *k) { k->frame.exit_frame.ptr = NULL; }

/* What the program has announced about d; 0 if nothing. */
OPARI_INLINE uint64_t opari_announced(struct opari_thread *t, const struct ompregdescr *d)
{
    if (OPARI_LIKELY(t->announced.region != d) || d == NULL)
        return 0;
    t->announced.region = NULL;
    return t->announced.value;
}

/* Whether the innermost entry belongs to an exit or end of d. It usually does. */
OPARI_INLINE int opari_is_at(const struct opari_thread *t, const struct ompregdescr *d, int what)
{
    return t->top->region == d && t->top->what == what;
}

#endif
