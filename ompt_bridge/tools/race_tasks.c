/* race_tasks.c: the order that regions and tasks imply. */
#include <stdlib.h>

#include "race_order.h"

void *race_new(size_t size) { return calloc(1, size); }

static void keep(long *references) { __atomic_fetch_add(references, 1, __ATOMIC_RELAXED); }

/* Whether that was the last reference. */
static int drop(long *references)
{
    return __atomic_sub_fetch(references, 1, __ATOMIC_ACQ_REL) == 0;
}

static void drop_team(struct race_team *t)
{
    if (t == NULL || !drop(&t->references))
        return;
    free(t->iterations);
    free(t);
}

static void drop_group(struct race_group *g)
{
    if (g != NULL && drop(&g->references))
        free(g);
}

static void drop_task(struct race_task *t)
{
    while (t != NULL && drop(&t->references)) {
        struct race_task *parent = t->parent;
        for (int i = 0; t->variables != NULL && i < RACE_VARIABLES; i++)
            for (struct race_variable *v = t->variables[i], *next; v != NULL; v = next) {
                next = v->next;
                free(v);
            }
        free(t->variables);
        free(t->dependences);
        drop_group(t->group);
        drop_team(t->team);
        free(t);
        t = parent;
    }
}

/* ---- regions */

static struct race_team *new_team(void)
{
    struct race_team *t = race_new(sizeof *t);
    if (t != NULL)
        t->references = 1;
    return t;
}

void race_on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                            unsigned requested, int flags, const void *code)
{
    struct race_team *t = new_team();
    (void)task, (void)frame, (void)requested, (void)flags, (void)code;
    parallel->ptr = t;
    if (t != NULL)
        __tsan_release(&t->begin);
}

void race_on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
    struct race_team *t = parallel->ptr;
    (void)task, (void)flags, (void)code;
    if (t == NULL)
        return;
    __tsan_acquire(&t->end);
    drop_team(t);
}

static void begin_implicit(ompt_data_t *parallel, ompt_data_t *task)
{
    struct race_task *t = race_new(sizeof *t);
    struct race_team *team = parallel == NULL ? NULL : parallel->ptr;
    task->ptr = t;
    if (team != NULL)
        keep(&team->references);
    else
        team = new_team(); /* the initial task's */
    if (t == NULL || team == NULL)
        return;
    t->references = 1;
    t->team = team;
    t->started = 1;
    if (__tsan_get_current_fiber != NULL)
        t->fiber = __tsan_get_current_fiber();
    __tsan_acquire(&team->begin);
}

void race_on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           unsigned size, unsigned index, int flags)
{
    struct race_task *t = task->ptr;
    (void)size, (void)index, (void)flags;
    if (at == ompt_scope_begin) {
        begin_implicit(parallel, task);
    } else if (t != NULL) {
        if (t->team != NULL)
            __tsan_release(&t->team->end);
        task->ptr = NULL;
        drop_task(t);
    }
}

/* ---- dependences */

enum { READS = 1, WRITES = 2, SHARES = 4, EVERYTHING = 8 };

/* What the tasks before it have to have ended with, or what it ends with itself. */
static unsigned needs(int type)
{
    switch (type) {
    case (int)ompt_dependence_type_in: return WRITES | SHARES;
    case (int)ompt_dependence_type_inoutset: return READS | WRITES;
    default: return READS | WRITES | SHARES;
    }
}

static unsigned gives(int type)
{
    switch (type) {
    case (int)ompt_dependence_type_in: return READS;
    case (int)ompt_dependence_type_inoutset: return SHARES;
    default: return WRITES;
    }
}

static void each_word(struct race_variable *v, unsigned words, void (*call)(void *))
{
    if (words & READS)
        call(&v->reads);
    if (words & WRITES)
        call(&v->writes);
    if (words & SHARES)
        call(&v->shared);
}

static void acquire_dependences(const struct race_task *t)
{
    if (t->n > 0 && t->parent != NULL)
        __tsan_acquire(&t->parent->everything);
    for (int i = 0; i < t->n; i++)
        if (t->dependences[i].variable != NULL)
            each_word(t->dependences[i].variable, needs(t->dependences[i].type), __tsan_acquire);
        else if (t->parent != NULL)
            __tsan_acquire(&t->parent->dependent);
}

static void release_dependences(const struct race_task *t)
{
    if (t->n > 0 && t->parent != NULL)
        __tsan_release(&t->parent->dependent);
    for (int i = 0; i < t->n; i++)
        if (t->dependences[i].variable != NULL)
            each_word(t->dependences[i].variable, gives(t->dependences[i].type), __tsan_release);
        else if (t->parent != NULL)
            __tsan_release(&t->parent->everything);
}

/* Only the parent's thread calls this. */
static struct race_variable *variable(struct race_task *parent, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    if (parent->variables == NULL)
        parent->variables = race_new(RACE_VARIABLES * sizeof *parent->variables);
    if (parent->variables == NULL)
        return NULL;
    struct race_variable **list = &parent->variables[((at >> 3) ^ (at >> 12)) % RACE_VARIABLES],
                         *v = *list;
    while (v != NULL && v->address != address)
        v = v->next;
    if (v == NULL && (v = race_new(sizeof *v)) != NULL) {
        v->address = address;
        v->next = *list;
        *list = v;
    }
    return v;
}

/* The vector of an iteration in a loop with dependences; ThreadSanitizer's words of two vectors may
 * be one, which hides a race and invents none. */
static char *iteration(struct race_team *team, const ompt_dependence_t *list, int n)
{
    uint64_t h = 0;
    char *words = __atomic_load_n(&team->iterations, __ATOMIC_ACQUIRE), *none = NULL;
    if (words == NULL) {
        words = race_new(RACE_ITERATIONS);
        if (words == NULL)
            return NULL;
        if (!__atomic_compare_exchange_n(&team->iterations, &none, words, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)) {
            free(words);
            words = none;
        }
    }
    for (int i = 0; i < n; i++)
        h = (h + list[i].variable.value) * UINT64_C(0x9e3779b97f4a7c15);
    /* ThreadSanitizer has a clock for each eight bytes. */
    return &words[(h >> 40) % (RACE_ITERATIONS / 8) * 8];
}

static void iterate(const struct race_task *t, const ompt_dependence_t *list, int n)
{
    char *word = t->team == NULL ? NULL : iteration(t->team, list, n);
    if (word == NULL)
        return;
    if (list[0].dependence_type == ompt_dependence_type_source)
        __tsan_release(word);
    else
        __tsan_acquire(word);
}

void race_on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
    struct race_task *t = task == NULL ? NULL : task->ptr;
    if (t == NULL || list == NULL || n <= 0)
        return;
    if (list[0].dependence_type == ompt_dependence_type_source ||
        list[0].dependence_type == ompt_dependence_type_sink) {
        iterate(t, list, n);
        return;
    }
    if (t->parent == NULL || t->dependences != NULL)
        return;
    t->dependences = race_new((size_t)n * sizeof *t->dependences);
    for (int i = 0; t->dependences != NULL && i < n; i++) {
        const int all = list[i].dependence_type > ompt_dependence_type_inoutset;
        struct race_variable *v = all ? NULL : variable(t->parent, list[i].variable.ptr);
        if (v == NULL && !all)
            continue;
        t->dependences[t->n++] = (struct race_dependence){v, (int)list[i].dependence_type};
    }
}

/* ---- tasks */

void race_on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *data,
                         int flags, int dependences, const void *code)
{
    struct race_task *t = race_new(sizeof *t), *p = parent == NULL ? NULL : parent->ptr;
    (void)frame, (void)dependences;
    race_fibers_make();
    race_note_depth();
    data->ptr = t;
    if (t == NULL)
        return;
    t->references = 1;
    t->flags = flags;
    t->code = code;
    if (p != NULL) {
        if ((flags & (int)ompt_task_taskwait) != 0)
            p->waits = 1;
        keep(&p->references);
        t->parent = p;
        t->phase = p->phase;
        if ((t->team = p->team) != NULL)
            keep(&t->team->references);
        if ((t->group = p->group) != NULL)
            keep(&t->group->references);
    }
    __tsan_release(&t->create);
}

/* Releases all that a wait for the task may acquire. A detached task comes here twice: at its end
 * and when its event is fulfilled. */
static void release_waits(struct race_task *t)
{
    if (t->parent != NULL)
        __tsan_release(&t->parent->children);
    if (t->group != NULL)
        __tsan_release(&t->group->word);
    if (t->team != NULL)
        __tsan_release(&t->team->barrier[t->phase & 1]);
    __tsan_release(&t->end);
    release_dependences(t);
}

/* The runtime's frame may be known only below the task's own one. Then the address where the task
 * around it called the runtime bounds it from above. */
#define FRAMES 65536

uintptr_t race_frame_of_task(void)
{
    ompt_frame_t *frame = NULL, *around = NULL;
    if (race_task_info == NULL || race_task_info(0, NULL, NULL, &frame, NULL, NULL) < 2 ||
        frame == NULL)
        return 0;
    const uintptr_t at = (uintptr_t)frame->exit_frame.ptr;
    if (race_task_info(1, NULL, NULL, &around, NULL, NULL) < 2 || around == NULL)
        return at;
    const uintptr_t above = (uintptr_t)around->enter_frame.ptr;
    return above > at && above - at < FRAMES ? above : at;
}

/* A runtime may execute a task where it is created: one that is undeferred, or one too many. The
 * compiler has written the task's data between the event and the task, and writes the next one's to
 * the same place. */
static void begin_task(struct race_task *t, const struct race_task *prior)
{
    t->started = 1;
    if (prior != NULL && prior == t->parent && !prior->waits)
        t->flags |= (int)ompt_task_undeferred;
    if ((t->flags & (int)ompt_task_undeferred) != 0)
        __tsan_release(&t->create);
    if (race_task_memory != NULL)
        (void)race_task_memory(&t->memory, &t->size, 0); /* the result is whether there is more */
    race_fiber_enter(t, race_frame_of_task());
    __tsan_acquire(&t->create);
    acquire_dependences(t);
}

static void go_on(struct race_task *next, const struct race_task *prior,
                  const struct race_task *done)
{
    if (next == NULL)
        return;
    if (!next->started)
        begin_task(next, prior);
    else
        race_fiber_resume(next);
    if (done != NULL && (done->flags & (int)ompt_task_undeferred) != 0)
        __tsan_acquire((void *)(uintptr_t)&done->end);
}

void race_on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    struct race_task *p = prior == NULL ? NULL : prior->ptr, *n = next == NULL ? NULL : next->ptr;
    race_note_depth();
    switch (status) {
    case ompt_task_complete:
    case ompt_task_cancel:
    case ompt_task_detach:
        if (p == NULL || p->parent == NULL)
            break;
        release_waits(p);
        race_fiber_leave(p);
        if (status != ompt_task_detach)
            race_forget(p->memory, p->size);
        go_on(n, NULL, p);
        if (status != ompt_task_detach) {
            prior->ptr = NULL;
            drop_task(p);
        }
        return;
    case ompt_task_late_fulfill:
    case ompt_task_early_fulfill:
    case ompt_taskwait_complete:
        if (p == NULL)
            return;
        if (status == ompt_taskwait_complete) {
            acquire_dependences(p);
            if (p->parent != NULL)
                p->parent->waits = 0;
        } else {
            release_waits(p);
        }
        if (status != ompt_task_early_fulfill) {
            prior->ptr = NULL;
            drop_task(p);
        }
        return;
    default: break;
    }
    go_on(n, status == ompt_task_switch ? p : NULL, NULL);
}
