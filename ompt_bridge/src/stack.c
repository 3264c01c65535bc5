/* stack.c: a thread's stack of open constructs, and closing what was left open. */
#include "bridge.h"

#include <string.h>

/* Doubles the stack. The old one is not given back: its size is at most that of the new one, and deep stacks are rare. Returns the
 * innermost entry, null when there is no memory or the depth is beyond reason; the event is then ignored, and so is its end. */
static OPARI_COLD struct opari_entry *opari_stack_grow(struct opari_thread *t)
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

OPARI_INLINE void opari_fire_work(struct opari_thread *t, int type, ompt_scope_endpoint_t at, uint64_t count, const void *ra)
{
    OPARI_FIRE(ompt_callback_work, ompt_callback_work_t, (ompt_work_t)type, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, count, ra);
}

OPARI_INLINE void opari_fire_sync(struct opari_thread *t, int kind, ompt_scope_endpoint_t at, const void *ra)
{
    OPARI_FIRE(ompt_callback_sync_region, ompt_callback_sync_region_t, (ompt_sync_region_t)kind, at, OPARI_PARALLEL_DATA,
               OPARI_TASK_DATA, ra);
}

OPARI_INLINE void opari_fire_wait(struct opari_thread *t, int kind, ompt_scope_endpoint_t at, const void *ra)
{
    OPARI_FIRE(ompt_callback_sync_region_wait, ompt_callback_sync_region_t, (ompt_sync_region_t)kind, at, OPARI_PARALLEL_DATA,
               OPARI_TASK_DATA, ra);
}

OPARI_INLINE void opari_fire_region(struct opari_thread *t, ompt_scope_endpoint_t at, int region_class, const void *user,
                                    const void *ra)
{
    OPARI_FIRE(OPARI_EVENT_REGION, opari_callback_region_t, at, (opari_region_class_t)region_class, OPARI_PARALLEL_DATA,
               OPARI_TASK_DATA, user, ra);
}

OPARI_INLINE void opari_fire_masked(struct opari_thread *t, ompt_scope_endpoint_t at, const void *ra)
{
    OPARI_FIRE(ompt_callback_masked, ompt_callback_masked_t, at, OPARI_PARALLEL_DATA, OPARI_TASK_DATA, ra);
}

/* The end of the wait at a region's implicit barrier: the parallel data is null there, since the region may be gone. */
static void opari_fire_docked_end(struct opari_thread *t)
{
    const int kind = ompt_sync_region_barrier_implicit_parallel;
    OPARI_FIRE(ompt_callback_sync_region_wait, ompt_callback_sync_region_t, (ompt_sync_region_t)kind, ompt_scope_end, NULL,
               OPARI_TASK_DATA, NULL);
    OPARI_FIRE(ompt_callback_sync_region, ompt_callback_sync_region_t, (ompt_sync_region_t)kind, ompt_scope_end, NULL,
               OPARI_TASK_DATA, NULL);
}

/* Ends the implicit task of entry e, the innermost one. */
static void opari_implicit_end(struct opari_thread *t, struct opari_entry *e)
{
    struct opari_task *k = e->of.task;
    if (e->flags & OPARI_ENTRY_DOCKED) {
        t->state = ompt_state_overhead;
        opari_fire_docked_end(t);
    }
    t->state = ompt_state_overhead;
    OPARI_FIRE(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_end, NULL, &k->data[tool],
               k->index == 0 ? (unsigned)k->parallel->size : 0u, (unsigned)k->index, ompt_task_implicit);
    t->task = k->below;
    opari_pop(t, e);
    opari_task_put(t, k);
}

static void opari_close_entry(struct opari_thread *t, struct opari_entry *e)
{
    const ompt_scope_endpoint_t end = ompt_scope_end;
    t->regions.event = e->region;
    switch ((enum opari_what)e->what) {
    case OPARI_AT_WORK:
        opari_fire_work(t, e->detail, end, 0, NULL);
        break;
    case OPARI_AT_SINGLE_BODY:
        opari_fire_work(t, ompt_work_single_executor, end, 1, NULL);
        break;
    case OPARI_AT_MASKED:
        opari_fire_masked(t, end, NULL);
        break;
    case OPARI_AT_BARRIER:
    case OPARI_AT_TASKWAIT:
        opari_fire_wait(t, e->detail, end, NULL);
        opari_fire_sync(t, e->detail, end, NULL);
        break;
    case OPARI_AT_TASKGROUP:
        if (e->flags & OPARI_ENTRY_ACQUIRED)
            opari_fire_wait(t, e->detail, end, NULL);
        opari_fire_sync(t, e->detail, end, NULL);
        break;
    case OPARI_AT_MUTEX:
        t->wait_id = 0;
        if (e->flags & OPARI_ENTRY_ACQUIRED)
            OPARI_FIRE(ompt_callback_mutex_released, ompt_callback_mutex_t, (ompt_mutex_t)e->detail, e->of.wait_id, NULL);
        break;
    case OPARI_AT_SECTION:
    case OPARI_AT_SINGLE:
    case OPARI_AT_REGION:
    case OPARI_AT_CANCEL:
    case OPARI_AT_USER:
        opari_fire_region(t, end, e->detail, NULL, NULL);
        break;
    case OPARI_AT_IMPLICIT:
        opari_implicit_end(t, e);
        return;
    case OPARI_AT_TASK: {
        struct opari_task *k = e->of.task;
        OPARI_FIRE(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &k->data[tool], ompt_task_cancel,
                   &k->below->data[tool]);
        t->task = k->below;
        opari_pop(t, e);
        opari_task_put(t, k);
        return;
    }
    case OPARI_AT_FORK: {
        struct opari_parallel *p = e->of.parallel;
        OPARI_FIRE(ompt_callback_parallel_end, ompt_callback_parallel_end_t, &p->data[tool], OPARI_TASK_DATA, p->flags, NULL);
        break; /* p is not reused: its team may be running */
    }
    case OPARI_AT_CREATE:
    case OPARI_AT_BASE:
        break;
    }
    opari_pop(t, e);
}

/* Closes everything above depth keep: the thread has left it, some time after its last event. */
static void opari_close_above(struct opari_thread *t, ptrdiff_t keep)
{
    struct ompregdescr *event = t->regions.event;
    t->regions.forced = opari_left_before;
    while (t->top - t->stack > keep)
        opari_close_entry(t, t->top);
    t->regions.forced = 0;
    t->regions.event = event;
}

/* The same where the thread leaves just now. */
static void opari_close_now(struct opari_thread *t, ptrdiff_t keep)
{
    struct ompregdescr *event = t->regions.event;
    t->regions.forced = opari_leaves_now;
    while (t->top - t->stack > keep)
        opari_close_entry(t, t->top);
    t->regions.forced = 0;
    t->regions.event = event;
}

/* pomp_off(): the calling thread leaves what its task has open. */
static void opari_off(struct opari_thread *t)
{
    struct opari_entry *e = t->top;
    while (e->what > OPARI_AT_CREATE)
        e--;
    opari_close_now(t, e - t->stack);
}

static OPARI_COLD struct opari_entry *opari_find_below(struct opari_thread *t, struct ompregdescr *d, int what)
{
    for (struct opari_entry *e = t->top; e->what > OPARI_AT_CREATE; e--) {
        if (e->region == d && e->what == what) {
            opari_close_above(t, e - t->stack);
            return t->top;
        }
    }
    return NULL;
}
