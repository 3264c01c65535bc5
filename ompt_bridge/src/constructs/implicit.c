/* implicit.c: the ends of implicit tasks, and the pending begin of their region. */
#include "../core/entries.h"

/* Removes the implicit task of the innermost entry, which waits at no barrier any more. */
OPARI_INLINE void opari_implicit_remove(struct opari_thread *t)
{
    struct opari_entry *e = t->top;
    struct opari_task *k = e->of.task;
    t->task = k->below;
    opari_pop(t, e);
    if (OPARI_UNLIKELY(k == &k->parallel->first))
        OPARI_STORE(&k->lives, k->lives + 1); /* the record belongs to its team's */
    else
        opari_task_put_own(t, k);
}

static OPARI_NOINLINE void opari_implicit_over(struct opari_thread *t)
{
    t->state = ompt_state_overhead;
    opari_raise_implicit_task_end(t);
    const struct opari_entry *e = opari_self->top;
    if (OPARI_UNLIKELY((e->flags & OPARI_ENTRY_KEEPS) != 0))
        (void)__atomic_sub_fetch(&e->of.task->parallel->kept, 1, __ATOMIC_RELEASE);
    opari_implicit_remove(opari_self);
}

/* The same for the encountering thread. */
OPARI_INLINE void opari_first_over(struct opari_thread *t)
{
    t->state = ompt_state_overhead;
    opari_raise_first_task_end(t);
    opari_implicit_remove(opari_self);
}

/* Ends the implicit task of entry e, the innermost one. */
static void opari_implicit_end(struct opari_thread *t, struct opari_entry *e)
{
    const struct opari_task *k = e->of.task;
    if (e->flags & OPARI_ENTRY_DOCKED) {
        t->state = ompt_state_wait_barrier_implicit_parallel;
        opari_raise_last_wait_end(t, ompt_sync_region_barrier_implicit_parallel, k->arrived);
        opari_raise_last_sync_end(t, ompt_sync_region_barrier_implicit_parallel, k->arrived);
    }
    opari_implicit_over(t);
}

/* Raises the pending begin of a region. A tool that orders the accesses of threads takes everything
 * before this event as visible to the team. The program writes the data for the team after the
 * fork, so the event comes after that where possible. */
OPARI_INLINE void opari_parallel_raise_begin_now(struct opari_thread *t, struct opari_parallel *p)
{
    const void *ra = p->pending;
    p->pending = NULL;
    opari_raise_parallel_begin(t, p, ra);
}

static void opari_parallel_raise_begin(struct opari_thread *t, struct opari_parallel *p)
{
    if (p->pending != NULL)
        opari_parallel_raise_begin_now(t, p);
}
