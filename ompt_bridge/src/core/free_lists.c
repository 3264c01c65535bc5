/* free_lists.c: the records of teams and tasks. Each thread has free ones of its own; what is taken
 * from memory stays.
 *
 * A task's record goes back to the thread that made it, otherwise one thread that makes tasks and
 * another that executes them would pile up records. To take one is a matter of some stores: what
 * can fail or takes longer is asked for before.
 */
#include "entries.h"

#include <string.h>

/* Sees to it that the thread has a free record of a team. */
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

/* A record, of which there is one. */
OPARI_INLINE struct opari_parallel *opari_parallel_take(struct opari_thread *t)
{
    struct opari_parallel *p = t->free_parallels;
    t->free_parallels = p->next;
    return p;
}

/* The same of a task: what others have given back, or a new one. */
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
    memset(&k->frame, 0, offsetof(ompt_frame_t, exit_frame_flags)); /* both */
    return k;
}

static __attribute__((unused)) struct opari_task *opari_task_get(struct opari_thread *t)
{
    return opari_has_task(t) ? opari_task_take(t) : NULL;
}

/* To the thread that made it, together: each time that costs both threads the cache line in which
 * that is said. What stays with a thread that ends no more tasks of others is not more than
 * OPARI_AWAY. */
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

/* A task that another thread has made. */
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

/* A task that the thread has made itself; not its base_task, nor one with ends_slow. */
OPARI_INLINE void opari_task_put_own(struct opari_thread *t, struct opari_task *k)
{
    OPARI_STORE(&k->lives, k->lives + 1);
    k->next = t->free_tasks;
    t->free_tasks = k;
}

/* The same, whoever has made it. */
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

/* Whether there is room for what begins with a new team, or with a new task. */
OPARI_INLINE int opari_has_fork_room(struct opari_thread *t)
{
    return opari_has_room(t) && opari_has_parallel(t);
}

OPARI_INLINE int opari_has_task_room(struct opari_thread *t)
{
    return opari_has_room(t) && opari_has_task(t);
}
