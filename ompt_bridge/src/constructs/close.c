/* close.c: closes the constructs that a thread has left open on its stack. */
#include "../core/entries.h"

/* The thread has left the block of a single, and perhaps the construct. */
static void opari_single_left(struct opari_thread *t, struct opari_entry *e)
{
    e->what = OPARI_AT_SINGLE;
    e->flags = OPARI_ENTRY_ACQUIRED;
    opari_raise_work(t, ompt_work_single_executor, ompt_scope_end, 1, e->ra);
}

static OPARI_COLD void opari_close_entry(struct opari_thread *t, struct opari_entry *e)
{
    const ompt_scope_endpoint_t end = ompt_scope_end;
    const int part = t->regions.part;
    t->regions.event = e->region;
    switch ((enum opari_what)e->what) {
    case OPARI_AT_WORK:
        t->regions.part |= (e->flags & OPARI_ENTRY_PART) != 0;
        if (e->detail == ompt_work_taskloop)
            opari_taskloop_end(t, e);
        else if (e->flags & OPARI_ENTRY_DONE)
            opari_raise_region(t, end, opari_region_construct, NULL, e->ra);
        else
            opari_raise_work(t, e->detail, end, 0, e->ra);
        t->regions.part = part;
        break;
    case OPARI_AT_SINGLE_BODY:
        opari_single_left(t, e);
        opari_raise_region(t, end, e->detail, NULL, NULL);
        break;
    case OPARI_AT_MASKED: opari_raise_masked(t, end, e->ra); break;
    case OPARI_AT_BARRIER:
    case OPARI_AT_TASKWAIT: opari_sync_end(t, e); break;
    case OPARI_AT_TASKGROUP:
        if ((e->flags & OPARI_ENTRY_DONE) == 0) {
            if (e->flags & OPARI_ENTRY_ACQUIRED)
                opari_raise_wait(t, e->detail, end, e->ra);
            opari_raise_sync(t, e->detail, end, e->ra);
        }
        opari_raise_region(t, end, opari_region_group, NULL, e->ra);
        break;
    case OPARI_AT_MUTEX:
        t->wait_id = 0;
        if (e->flags & OPARI_ENTRY_ACQUIRED)
            opari_raise_mutex_released(e->detail, e->of.wait_id, e->ra);
        break;
    case OPARI_AT_SECTION:
    case OPARI_AT_SINGLE:
    case OPARI_AT_REGION:
    case OPARI_AT_CANCEL:
    case OPARI_AT_USER:
        if (OPARI_UNLIKELY((e->flags & OPARI_ENTRY_TARGET) != 0))
            OPARI_LOAD (&opari_target_closer)(t, e, NULL);
        opari_raise_region(t, end, e->detail, NULL, NULL);
        break;
    case OPARI_AT_IMPLICIT: opari_implicit_end(t, e); return;
    case OPARI_AT_TASK: {
        struct opari_task *k = e->of.task;
        const int awaited = k->awaited;
        opari_end_awaited(k);
        opari_raise_task_schedule(k, ompt_task_cancel, k->below);
        t->task = k->below;
        opari_pop(t, e);
        opari_task_put(t, k);
        opari_ended_awaited(awaited);
        return;
    }
    case OPARI_AT_FORK:
        opari_parallel_raise_begin(t, e->of.parallel);
        opari_raise_parallel_end(t, e->of.parallel, e->ra);
        break; /* its record is not reused: the team may still run */
    case OPARI_AT_CREATE:
        if (OPARI_UNLIKELY((e->flags & OPARI_ENTRY_TASKWAIT) != 0)) {
            opari_taskwait_end(t);
            return;
        }
        opari_raise_created(t);
        break;
    case OPARI_AT_BASE: break;
    }
    if (opari_keeps_state(e->what, e->detail))
        t->state = e->state;
    t->top = e - 1;
}

/* Closes everything above depth keep: the thread has left it at some time after its last event. */
static void opari_close_above(struct opari_thread *t, ptrdiff_t keep)
{
    struct ompregdescr *event = t->regions.event;
    t->regions.forced = opari_left_before;
    while (t->top - t->stack > keep)
        opari_close_entry(t, t->top);
    t->regions.forced = 0;
    t->regions.event = event;
}

/* The same where the thread leaves it now. */
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

/* Does opari_seek where the entry is not the innermost one. */
static OPARI_COLD int opari_find_below(struct opari_thread *t, struct ompregdescr *d, int what)
{
    /* A thread that obeys a cancel leaves its task from within the directive. */
    int left = t->top->what == OPARI_AT_CANCEL;
    for (struct opari_entry *e = t->top;
         e->what > OPARI_AT_CREATE || (left && e->what == OPARI_AT_TASK); e--) {
        if (e->region != d)
            continue;
        const int body = e->what == OPARI_AT_SINGLE_BODY && what == OPARI_AT_SINGLE;
        if (e->what != what && !body)
            continue;
        opari_close_above(t, e - t->stack);
        if (body) {
            t->regions.forced = opari_left_before;
            opari_single_left(t, e);
            t->regions.forced = 0;
        }
        return 1;
    }
    return 0;
}

/* Makes the entry of d the innermost one; 0 when the current task has none. */
OPARI_INLINE int opari_seek(struct opari_thread *t, struct ompregdescr *d, int what)
{
    return OPARI_LIKELY(opari_is_at(t, d, what)) || opari_find_below(t, d, what);
}

OPARI_FOR_SIZE

/* The current task leaves the taskwait of d if it is in it. */
static void opari_taskwait_leave(struct opari_thread *t, const struct ompregdescr *d)
{
    const struct opari_entry *e = t->top;
    while (e->what > OPARI_AT_CREATE)
        e--;
    if (e->what != OPARI_AT_CREATE || (e->flags & OPARI_ENTRY_TASKWAIT) == 0 || e->region != d)
        return;
    opari_close_above(t, e - t->stack);
    opari_taskwait_end(t);
}

OPARI_FOR_SPEED
