/* parallel.c: teams and their implicit tasks.
 *
 * The encountering thread forks and joins; every thread of the team, it included, begins and ends. Where no explicit barrier
 * stood at the end of the region, a thread that ends is docked: it is in the implicit barrier until the join (the
 * encountering thread) or until its next event (the others), and may execute tasks there.
 */
#include "bridge.h"

#include <string.h>

extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));

static struct opari_parallel *opari_parallel_get(struct opari_thread *t)
{
    struct opari_parallel *p = t->free_parallels;
    if (OPARI_LIKELY(p != NULL)) {
        t->free_parallels = p->next;
        return p;
    }
    for (struct opari_parallel **at = &t->kept_parallels; (p = *at) != NULL; at = &p->next)
        if (OPARI_ACQUIRE(&p->kept) == 0) {
            *at = p->next;
            return p;
        }
    return opari_memory(sizeof *p);
}

/* A tool that orders the accesses of threads takes what came before this event as seen by the team. The data that the program hands to the
 * team are written behind the fork, so where it can be, the event comes behind that. */
static void opari_parallel_tell(struct opari_thread *t, struct opari_parallel *p)
{
    const void *ra = p->untold;
    if (ra == NULL)
        return;
    p->untold = NULL;
    opari_fire_parallel_begin(t, p, ra);
}

/* threads: of the clause, 0: there is none, -1: whoever tells the begin knows. */
static struct opari_parallel *opari_parallel_fork(struct opari_thread *t, struct ompregdescr *d, int if_value, int threads,
                                                  const void *ra, void *frame)
{
    struct opari_parallel *p = opari_parallel_get(t);
    struct opari_entry *e = p != NULL ? opari_push(t, d, OPARI_AT_FORK, 0) : NULL;
    if (OPARI_UNLIKELY(e == NULL))
        return NULL;
    e->of.parallel = p;
    e->ra = ra;
    memset(p->data, 0, sizeof p->data);
    p->region = d;
    p->parent = t->task;
    p->parent_life = t->task->lives;
    OPARI_STORE(&p->kept, 0u);
    OPARI_STORE(&p->size, 0);
    p->flags = if_value ? ompt_parallel_invoker_runtime | ompt_parallel_team : ompt_parallel_invoker_program | ompt_parallel_team;
    p->requested = !if_value ? 1 : threads > 0 ? threads : omp_get_max_threads != NULL ? omp_get_max_threads() : 1;
    opari_set_enter_frame(t->task, frame);
    t->state = ompt_state_overhead;
    p->untold = ra;
    if (!opari_forks_late && threads >= 0)
        opari_parallel_tell(t, p);
    OPARI_HANDS_OVER(p);
    return p;
}

static void opari_parallel_begin(struct opari_thread *t, struct ompregdescr *d, struct opari_parallel *p, void *frame)
{
    OPARI_TAKES_OVER(p);
    const struct opari_entry *top = t->top;
    int master = top->what == OPARI_AT_FORK && top->of.parallel == p;
    if (top->what == OPARI_AT_IMPLICIT && top->of.task->parallel == p && !(top->flags & OPARI_ENTRY_DOCKED))
        return; /* it has begun before the program says so */
    if (master)
        opari_parallel_tell(t, p);
    if (!master) {
        opari_close_above(t, 0); /* a thread joins a team only when it has nothing else to do */
        opari_tasks_reclaim(t);
    }
    struct opari_task *k = opari_task_get(t);
    if (OPARI_UNLIKELY(k == NULL))
        return;
    struct opari_entry *e = opari_push(t, d, OPARI_AT_IMPLICIT, 0);
    if (OPARI_UNLIKELY(e == NULL)) {
        opari_task_put(t, k);
        return;
    }
    int size = omp_get_num_threads != NULL ? omp_get_num_threads() : 1;
    int index = omp_get_thread_num != NULL ? omp_get_thread_num() : 0;
    if (OPARI_LOAD(&p->size) != size)
        OPARI_STORE(&p->size, size);
    e->of.task = k;
    e->detail = size;
    k->region = d;
    k->parallel = p;
    k->below = t->task;
    k->flags = ompt_task_implicit | ompt_task_undeferred;
    k->index = index;
    k->life = OPARI_TASK_RUNNING;
    t->task = k;
    t->state = ompt_state_work_parallel;
    opari_fire_implicit_task_begin(t, size);
    k->frame.exit_frame.ptr = frame;
    k->frame.exit_frame_flags = ompt_frame_application | ompt_frame_stackaddress;
    OPARI_HANDS_OVER(p); /* a thread that leaves by cancel does not come by the end */
}

/* The entry with the given record, made the innermost one; null when the thread has none. */
static struct opari_entry *opari_find_record(struct opari_thread *t, int what, const void *record)
{
    for (struct opari_entry *e = t->top; e > t->stack; e--) {
        const void *of = e->what == OPARI_AT_FORK       ? (const void *)e->of.parallel
                         : e->what == OPARI_AT_IMPLICIT ? (const void *)e->of.task->parallel
                         : e->what <= OPARI_AT_CREATE   ? (const void *)e->of.task
                                                        : NULL;
        if (e->what == what && of == record) {
            opari_close_above(t, e - t->stack);
            return t->top;
        }
    }
    return NULL;
}

static void opari_parallel_end(struct opari_thread *t, struct ompregdescr *d, struct opari_parallel *p, const void *ra)
{
    struct opari_entry *e = opari_find_record(t, OPARI_AT_IMPLICIT, p);
    (void)d;
    OPARI_HANDS_OVER(p);
    if (OPARI_UNLIKELY(e == NULL) || (e->flags & OPARI_ENTRY_DOCKED))
        return;
    struct opari_task *k = e->of.task;
    int master = k->index == 0;
    k->frame.exit_frame.ptr = NULL;
    k->frame.exit_frame_flags = 0;
    if (e->detail == 1 || (e->flags & OPARI_ENTRY_BARRIER)) {
        opari_implicit_end(t, e);
        if (!master)
            t->state = ompt_state_idle;
        return;
    }
    e->flags |= OPARI_ENTRY_DOCKED;
    k->arrived = master ? ra : NULL; /* tools want it at both ends or at neither */
    if (!master && opari_tools.count > opari_own_tools) {
        e->flags |= OPARI_ENTRY_KEEPS;
        (void)__atomic_add_fetch(&p->kept, 1, __ATOMIC_RELAXED); /* before the barrier, so before the join */
    }
    t->state = ompt_state_overhead;
    t->regions.late = 1;
    opari_fire_sync(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, master ? ra : NULL);
    t->state = ompt_state_wait_barrier_implicit_parallel;
    opari_fire_wait(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, master ? ra : NULL);
    t->regions.late = 0;
}

static void opari_parallel_join(struct opari_thread *t, struct ompregdescr *d, struct opari_parallel *p, const void *ra)
{
    OPARI_TAKES_OVER(p);
    struct opari_entry *e = t->top;
    /* The implicit task of the encountering thread ends here, in due time. */
    if (e->what == OPARI_AT_IMPLICIT && (e->flags & OPARI_ENTRY_DOCKED) && e->of.task->parallel == p)
        opari_implicit_end(t, e);
    e = opari_find_record(t, OPARI_AT_FORK, p);
    if (OPARI_UNLIKELY(e == NULL))
        return;
    t->regions.event = d;
    t->state = ompt_state_overhead;
    opari_parallel_tell(t, p);
    if (OPARI_UNLIKELY(OPARI_LOAD(&opari_cancels)) && opari_tools.count > opari_own_tools)
        opari_team_discard(t, p);
    opari_fire_parallel_end(t, p, ra);
    opari_clear_enter_frame(t->task);
    opari_pop(t, e);
    struct opari_parallel **list = OPARI_ACQUIRE(&p->kept) != 0 ? &t->kept_parallels : &t->free_parallels;
    p->next = *list;
    *list = p;
    if (t->top == t->stack)
        opari_tasks_reclaim(t);
}
