/* depend.c: which task has to wait for which, according to their dependences: OpenMP 5.2 [15.9.5].
 *
 * For each variable a thread keeps the tasks that named it last, in two groups. The tasks of a
 * group wait for the group before, not for each other. The table has a fixed size, so some pairs
 * may raise no event (ompt_set_sometimes).
 */
#include "../core/bridge.h"

#include <pthread.h>
#include <string.h>

enum { OPARI_DEPEND_SLOTS = 1024, OPARI_DEPEND_GROUP = 6 };

struct opari_depend_task {
    struct opari_task *task;
    unsigned life; /* the task's lives at that time: the task has ended if they differ now */
};

struct opari_depend_group {
    struct opari_depend_task task[OPARI_DEPEND_GROUP];
    int size;
};

struct opari_depend {
    struct opari_depend_task maker; /* dependences hold between the children of one task */
    const void *variable;
    struct opari_depend_group before, last;
    ompt_dependence_type_t type; /* of the last group */
};

/* A thread holds this lock while it raises the event that one task waits for another. It also holds
 * it while it ends a task that others may wait for. So a task that the event names has not
 * ended. */
static pthread_mutex_t opari_depends_lock = PTHREAD_MUTEX_INITIALIZER;

OPARI_INLINE void opari_end_awaited(const struct opari_task *k)
{
    if (OPARI_UNLIKELY(k->awaited))
        opari_lock(&opari_depends_lock);
}

OPARI_INLINE void opari_ended_awaited(int awaited)
{
    if (OPARI_UNLIKELY(awaited))
        opari_unlock(&opari_depends_lock);
}

static int opari_depend_is(const struct opari_depend_task *d, const struct opari_task *k)
{
    return d->task == k && d->life == OPARI_LOAD(&k->lives);
}

static int opari_depends_wanted(void)
{
    unsigned tools = OPARI_ACQUIRE(&opari_tools.count);
    for (unsigned tool = opari_own_tools; tool < tools; tool++)
        if (OPARI_ACQUIRE(&opari_tools.tool[tool].call[ompt_callback_task_dependence]) != NULL)
            return 1;
    return 0;
}

static struct opari_depend *opari_depend_of(struct opari_thread *t, const void *variable)
{
    if (t->depends == NULL &&
        (t->depends = opari_memory(OPARI_DEPEND_SLOTS * sizeof *t->depends)) == NULL)
        return NULL;
    struct opari_depend *d =
        &t->depends[((uintptr_t)variable >> 2 ^ (uintptr_t)variable >> 12) % OPARI_DEPEND_SLOTS];
    if (d->variable != variable || !opari_depend_is(&d->maker, t->task)) {
        memset(d, 0, sizeof *d);
        d->variable = variable;
        d->maker = (struct opari_depend_task){t->task, t->task->lives};
    }
    return d;
}

/* Raises the event that k waits for each task of a group, once per task. raised holds the tasks
 * whose event was raised. */
static void opari_depend_raise(struct opari_task *k, const struct opari_depend_group *g,
                               struct opari_depend_group *raised)
{
    for (int i = 0; i < g->size; i++) {
        struct opari_task *source = g->task[i].task;
        int known = source == k || !opari_depend_is(&g->task[i], source);
        for (int j = 0; j < raised->size && !known; j++)
            known = raised->task[j].task == source;
        if (known)
            continue;
        if (raised->size < OPARI_DEPEND_GROUP)
            raised->task[raised->size++] = g->task[i];
        opari_raise_task_dependence(source, k);
    }
}

static int opari_depend_shares(ompt_dependence_type_t type)
{
    return type == ompt_dependence_type_in || type == ompt_dependence_type_mutexinoutset ||
           type == ompt_dependence_type_inoutset;
}

/* Task k, which thread t creates, has the n dependences of the list. */
static __attribute__((unused)) void opari_depends(struct opari_thread *t, struct opari_task *k,
                                                  const ompt_dependence_t *list, int n)
{
    struct opari_depend_group raised = {.size = 0};
    if (!opari_depends_wanted())
        return;
    opari_lock(&opari_depends_lock);
    for (int i = 0; i < n; i++) {
        const ompt_dependence_type_t type = list[i].dependence_type;
        struct opari_depend *d = opari_depend_of(t, list[i].variable.ptr);
        if (d == NULL)
            break; /* no memory */
        if (d->last.size > 0 && opari_depend_is(&d->last.task[d->last.size - 1], k))
            continue; /* the task names the variable twice */
        if (d->type != type || !opari_depend_shares(type)) {
            d->before = d->last;
            d->last.size = 0;
            d->type = type;
        }
        opari_depend_raise(k, &d->before, &raised);
        if (d->last.size < OPARI_DEPEND_GROUP)
            d->last.task[d->last.size++] = (struct opari_depend_task){k, k->lives};
    }
    k->awaited = k->ends_slow = 1;
    OPARI_HANDS_OVER(k);
    opari_unlock(&opari_depends_lock);
}
