/* task.c: explicit tasks. A task runs on one thread, on top of the task that it interrupts there,
 * so begin pushes and end pops.
 *
 * As in worksharing.c the caller ensures that there is room, and the functions find everything anew
 * after the call of a tool.
 */
#include "../core/entries.h"

#include <pthread.h>
#include <string.h>

OPARI_INLINE struct opari_task *opari_task_create_begin(struct opari_thread *t,
                                                        struct ompregdescr *d, int flags,
                                                        int dependences, const void *ra,
                                                        void *frame)
{
    opari_raise_task_create(t, opari_task_made(t, d, flags, frame), dependences, ra);
    struct opari_task *k = opari_self->top->of.task;
    OPARI_HANDS_OVER(k);
    return k;
}

/* The same for a task that has no flags and no entry on the stack. Its creation ends where the
 * program clears the enter frame. */
OPARI_INLINE struct opari_task *opari_task_create_plain(struct opari_thread *t,
                                                        ompt_callback_task_create_t create,
                                                        const void *ra, void *frame)
{
    struct opari_task *k = opari_task_take(t), *maker = t->task;
    k->parallel = maker->parallel;
    k->flags = ompt_task_explicit;
    k->makes_plain = 1;
    k->below = maker;
    k->number = t->made++;
    OPARI_RELEASE(&k->life, OPARI_TASK_CREATED);
    opari_set_enter_frame(maker, frame);
    create(&maker->data[0], &maker->frame, &k->data[0], ompt_task_explicit, 0, ra);
    OPARI_HANDS_OVER(k);
    return k;
}

/* The innermost entry is that of the task's creation. The task may have run, and another task may
 * have its record by now, so the record only identifies the entry. */
OPARI_INLINE void opari_task_create_end(struct opari_thread *t)
{
    opari_clear_enter_frame(t->task);
    t->top--;
}

/* The same within an event that a tool may want. */
OPARI_INLINE void opari_task_created(struct opari_thread *t)
{
    opari_raise_created(t);
    opari_task_create_end(opari_self);
}

/* A thread that is in a cancel directive and begins another task has left the task that it
 * cancelled. */
static OPARI_COLD void opari_task_before(struct opari_thread *t)
{
    if (t->top->what != OPARI_AT_CANCEL)
        return;
    struct opari_entry *e = t->top;
    while (e->what > OPARI_AT_CREATE)
        e--;
    if (e->what == OPARI_AT_TASK)
        opari_close_above(t, e - t->stack - 1);
}

/* Begins task k on this thread. Needs room for an entry, and a call of opari_task_before where a
 * cancel directive is innermost. how is ompt_task_yield where the task begins in a taskyield.
 * schedule may be null. */
OPARI_INLINE void opari_task_switch(struct opari_thread *t, struct ompregdescr *d,
                                    struct opari_task *k, ompt_task_status_t how, void *frame,
                                    ompt_callback_task_schedule_t schedule)
{
    OPARI_TAKES_OVER(k);
    opari_set_exit_frame(k, frame);
    struct opari_task *prior = t->task;
    opari_put(t, d, OPARI_AT_TASK, 0, NULL)->of.task = k;
    OPARI_STORE(&k->below, prior); /* opari_tasks_discard reads it */
    k->index = prior->index;       /* the thread's number in the team */
    OPARI_STORE(&k->life, OPARI_TASK_RUNNING);
    t->task = k;
    t->state = k->parallel->works;
    if (schedule != NULL)
        schedule(&prior->data[0], how, &k->data[0]);
    OPARI_HANDS_OVER(opari_self->task->parallel); /* for the join, after a barrier that this library
                                                     does not see */
}

static void opari_task_begin(struct opari_thread *t, struct ompregdescr *d, struct opari_task *k,
                             void *frame)
{
    opari_task_switch(t, d, k,
                      (t->top->flags & OPARI_ENTRY_YIELD) != 0 ? ompt_task_yield : ompt_task_switch,
                      frame,
                      (ompt_callback_task_schedule_t)OPARI_ACQUIRE(
                          &opari_tools.callback[ompt_callback_task_schedule]));
}

/* The tasks whose event is not fulfilled yet. They are rare, so one lock serves all. A thread holds
 * it over the callbacks that must keep their order: first the task is detached, then its event is
 * fulfilled late. */
static struct {
    pthread_mutex_t lock;
    struct opari_task *first;
} opari_awaiting = {PTHREAD_MUTEX_INITIALIZER, NULL};

static __attribute__((unused)) void opari_task_await(struct opari_task *k, uintptr_t event)
{
    opari_lock(&opari_awaiting.lock);
    k->event = event;
    k->ends_slow = 1;
    k->detached = 0;
    k->next = opari_awaiting.first;
    opari_awaiting.first = k;
    OPARI_HANDS_OVER(k);
    opari_unlock(&opari_awaiting.lock);
}

/* The body of k has ended. Returns whether the task has ended too, because its event is fulfilled.
 * Otherwise the thread has left the task, and it belongs to the thread that fulfils the event. */
static OPARI_COLD int opari_task_detach(struct opari_thread *t, struct opari_task *k)
{
    opari_lock(&opari_awaiting.lock);
    int over = k->event == 0;
    if (!over) {
        opari_raise_task_schedule(k, ompt_task_detach, k->below);
        t->task = k->below;
        opari_pop(t, t->top);
        k->detached = 1;
    }
    opari_unlock(&opari_awaiting.lock);
    return over;
}

static __attribute__((unused)) void opari_task_fulfill(struct opari_thread *t, uintptr_t event)
{
    opari_lock(&opari_awaiting.lock);
    struct opari_task **at = &opari_awaiting.first, *k;
    while ((k = *at) != NULL && k->event != event)
        at = &k->next;
    if (k != NULL) {
        *at = k->next;
        const int awaited = k->awaited;
        opari_end_awaited(k);
        opari_raise_task_fulfilled(k,
                                   k->detached ? ompt_task_late_fulfill : ompt_task_early_fulfill);
        if (k->detached)
            opari_task_put(t, k);
        else
            OPARI_RELEASE(&k->event,
                          0u); /* from here on the thread that executes it may give it back */
        opari_ended_awaited(awaited);
    }
    opari_unlock(&opari_awaiting.lock);
}

/* Ends a task that has an event, or that others may wait for. */
static OPARI_COLD void opari_task_end_awaited(struct opari_thread *t, struct opari_task *k)
{
    if (OPARI_ACQUIRE(&k->event) != 0 && !opari_task_detach(t, k))
        return;
    struct opari_task *below = k->below;
    const int awaited = k->awaited;
    opari_end_awaited(k);
    opari_raise_task_schedule(k, ompt_task_complete, below);
    t->task = below;
    opari_pop(t, t->top);
    opari_task_put(t, k);
    opari_ended_awaited(awaited);
}

/* The same where the task may have left constructs open above its entry, or has already been closed
 * itself. */
static OPARI_COLD void opari_task_end_slow(struct opari_thread *t, struct opari_task *k)
{
    if (opari_seek_record(t, OPARI_AT_TASK, k))
        opari_task_end_awaited(t, k);
}

/* Whether the innermost entry is that of task k, and nobody awaits its end. */
OPARI_INLINE int opari_task_ends_plain(const struct opari_thread *t, const struct opari_task *k)
{
    OPARI_TAKES_OVER((void *)(uintptr_t)k); /* from the thread that raised the dependence event, see
                                               depend.c */
    return opari_is_record(t->top, OPARI_AT_TASK, k) && !k->ends_slow;
}

/* The innermost entry is the task's, and nobody awaits its end. schedule may be null. */
OPARI_INLINE void opari_task_end_plain(struct opari_task *k, ompt_callback_task_schedule_t schedule)
{
    if (schedule != NULL)
        schedule(&k->data[0], ompt_task_complete, &k->below->data[0]);
    struct opari_thread *t = opari_self;
    k = t->task;
    t->task = k->below;
    opari_pop(t, t->top);
    opari_task_put_plain(t, k);
}

static void opari_task_end(struct opari_thread *t, struct opari_task *k)
{
    OPARI_HANDS_OVER(k->parallel);
    if (OPARI_UNLIKELY(!opari_task_ends_plain(t, k)))
        opari_task_end_slow(t, k);
    else
        opari_task_end_plain(k, (ompt_callback_task_schedule_t)OPARI_ACQUIRE(
                                    &opari_tools.callback[ompt_callback_task_schedule]));
}
