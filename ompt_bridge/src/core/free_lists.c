/* free_lists.c: the records of teams and tasks. Each thread has free lists of its own, and memory
 * is never given back.
 *
 * A task's record goes back to the thread that created it. Otherwise records would pile up where
 * one thread creates tasks and another executes them. Taking a record costs a few stores: a
 * separate call before it does what can fail or takes longer.
 */
#include "entries.h"

#include <string.h>

/* Ensures that the thread has a free record of a team; 0 without memory. */
static OPARI_NOINLINE int opari_parallel_stock(struct opari_thread *t)
{
    struct opari_parallel *p, **at = &t->kept_parallels;
    while ((p = *at) != NULL && OPARI_ACQUIRE(&p->kept) != 0)
        at = &p->next;
    if (p != NULL)
        *at = p->next;
    else if ((p = opari_memory(sizeof *p)) == NULL)
        return 0;
    p->next = NULL;
    p->works = ompt_state_work_parallel;
    p->first.parallel = p;
    p->first.owner = t;
    p->first.flags = ompt_task_implicit | ompt_task_undeferred;
    p->first.makes_plain = 1;
    opari_frame_init(&p->first.frame);
    t->free_parallels = p;
    return 1;
}

OPARI_INLINE int opari_has_parallel(struct opari_thread *t)
{
    return OPARI_LIKELY(t->free_parallels != NULL) || opari_parallel_stock(t);
}

/* Takes a free record, which opari_has_parallel has provided. */
OPARI_INLINE struct opari_parallel *opari_parallel_take(struct opari_thread *t)
{
    struct opari_parallel *p = t->free_parallels;
    t->free_parallels = p->next;
    return p;
}

/* The same for tasks: takes the records that others have returned, or allocates one. */
static OPARI_NOINLINE int opari_task_stock(struct opari_thread *t)
{
    struct opari_task *k = __atomic_exchange_n(&t->returned_tasks, NULL, __ATOMIC_ACQUIRE);
    if (k == NULL) {
        k = opari_memory(sizeof *k);
        if (k == NULL)
            return 0;
        k->owner = t;
        opari_frame_init(&k->frame);
        k->older = t->all_tasks;
        OPARI_RELEASE(&t->all_tasks, k);
    }
    t->free_tasks = k;
    return 1;
}

OPARI_INLINE int opari_has_task(struct opari_thread *t)
{
    return OPARI_LIKELY(t->free_tasks != NULL) || opari_task_stock(t);
}

OPARI_INLINE struct opari_task *opari_task_take(struct opari_thread *t)
{
    struct opari_task *k = t->free_tasks;
    t->free_tasks = k->next;
    memset(k->data, 0, sizeof k->data);
    memset(&k->frame, 0, offsetof(ompt_frame_t, exit_frame_flags)); /* both pointers */
    return k;
}

/* Returns the tasks in t->away to their owner, all in one exchange: each exchange moves a cache
 * line between the two threads. A thread that ends no more tasks of others keeps fewer than
 * OPARI_AWAY records. */
static OPARI_NOINLINE void opari_tasks_return(struct opari_thread *t)
{
    struct opari_thread *owner = t->away.first->owner;
    struct opari_task *head = OPARI_LOAD(&owner->returned_tasks);
    do
        t->away.last->next = head;
    while (!__atomic_compare_exchange_n(&owner->returned_tasks, &head, t->away.first, 1,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    t->away.first = NULL;
    t->away.n = 0;
}

/* Puts away a task that another thread has created. */
static OPARI_NOINLINE void opari_task_put_away(struct opari_thread *t, struct opari_task *k)
{
    if (t->away.first != NULL && t->away.first->owner != k->owner)
        opari_tasks_return(t);
    if (t->away.first == NULL)
        t->away.last = k;
    OPARI_STORE(&k->lives, k->lives + 1);
    k->next = t->away.first;
    t->away.first = k;
    if (++t->away.n == OPARI_AWAY)
        opari_tasks_return(t);
}

/* Puts back a task that the thread itself has created; not its base_task, nor one with
 * ends_slow. */
OPARI_INLINE void opari_task_put_own(struct opari_thread *t, struct opari_task *k)
{
    OPARI_STORE(&k->lives, k->lives + 1);
    k->next = t->free_tasks;
    t->free_tasks = k;
}

/* The same for a task of any owner. */
OPARI_INLINE void opari_task_put_plain(struct opari_thread *t, struct opari_task *k)
{
    if (OPARI_LIKELY(k->owner == t))
        opari_task_put_own(t, k);
    else
        opari_task_put_away(t, k);
}

static void opari_task_put(struct opari_thread *t, struct opari_task *k)
{
    k->event = 0;
    k->awaited = k->ends_slow = 0;
    opari_task_put_plain(t, k);
}

/* Ensures that there is room for the entry and the record of a new team, or of a new task. */
OPARI_INLINE int opari_has_fork_room(struct opari_thread *t)
{
    return opari_has_room(t) && opari_has_parallel(t);
}

OPARI_INLINE int opari_has_task_room(struct opari_thread *t)
{
    return opari_has_room(t) && opari_has_task(t);
}
