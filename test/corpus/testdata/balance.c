/* A measurement library that records nothing and believes nothing: it checks that the calls of instrumented code come in
 * pairs, nested, with the descriptor and the handle of their counterpart, on the thread where they belong, and ends the
 * program with status 77 and a message when they do not. A program that ends well prints nothing, unless OPARI_BALANCE names
 * a file: the number of calls is appended to it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pomp_lib.h"

enum { DEEPEST = 4096, HANDLE = 0x504f4d50, DEAD = 0x44454144 };

/* What kind of pair is open: around a parallel or task construct, in its body, a user region, around or inside another construct. */
enum mark { PARALLEL_FORK, PARALLEL_BODY, TASK_CREATE, TASK_BODY, USER, ENTERED, BEGUN };
static const char *const mark_names[] = {"fork", "begin", "create_begin", "begin", "begin", "enter", "begin"};

struct open {
    enum mark mark;
    const char *what;
    struct ompregdescr *d;
    void *handle;
};

/* One instance of a parallel region or of a task. */
struct instance {
    int magic;
    struct ompregdescr *d;
    atomic_int begun, ended;
};

struct thread {
    int depth;
    struct open open[DEEPEST];
};

static _Thread_local struct thread *self;
static struct pomp_unit *units;
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static atomic_long calls;
static atomic_int on = 1;

static void fail(const char *what, const struct ompregdescr *d, const char *why, const struct open *top)
{
    fprintf(stderr, "balance: error: %s of %s at %s:%d: %s", what, d ? d->directive : "?", d ? d->file_name : "?", d ? d->begin_first_line : 0, why);
    if (top)
        fprintf(stderr, "; innermost open: %s_%s of %s at line %d", top->what, mark_names[top->mark], top->d->directive, top->d->begin_first_line);
    fputc('\n', stderr);
    fflush(stderr);
    _exit(77);
}

static struct thread *here(void)
{
    if (!self && !(self = calloc(1, sizeof *self)))
        _exit(78);
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return self;
}

static void push(enum mark mark, const char *what, struct ompregdescr *d, void *handle)
{
    struct thread *t = here();
    if (!d || d->kind == 0 || d->kind >= POMP_KINDS || !d->file_name || !d->name || !d->sub_name || !d->directive)
        fail(what, d, "a descriptor that is not filled in", NULL);
    if (t->depth == DEEPEST)
        fail(what, d, "open too deep", NULL);
    t->open[t->depth++] = (struct open){mark, what, d, handle};
}

/* A construct may stay open where a thread leaves by cancellation: it, or one around it, says that it may be cancelled, or it is
 * the cancel directive itself. Nothing else may. */
static int may_be_left(const struct ompregdescr *d)
{
    if (d && (d->kind == POMP_KIND_CANCEL || d->kind == POMP_KIND_CANCELLATION_POINT))
        return 1;
    for (; d; d = d->outer)
        if (d->facts & POMP_HAS_CANCEL)
            return 1;
    return 0;
}

static void pop(enum mark mark, const char *what, struct ompregdescr *d, void *handle)
{
    struct thread *t = here();
    while (t->depth > 0) {
        struct open *top = &t->open[--t->depth];
        if (top->mark == mark && top->d == d && top->handle == handle && strcmp(top->what, what) == 0)
            return;
        if (!may_be_left(top->d))
            fail(what, d, "does not close what was opened last", top);
    }
    fail(what, d, "nothing is open", NULL);
}

void pomp_unit_1(struct pomp_unit *unit)
{
    if (unit->abi != POMP_ABI_1)
        fail("register", NULL, "another ABI", NULL);
    pthread_mutex_lock(&registry);
    struct pomp_unit **p = &units;
    while (*p && *p != unit)
        p = &(*p)->next;
    if (*p) {
        *p = unit->next;
        unit->active = 0;
    } else {
        unit->next = units;
        units = unit;
        unit->active = atomic_load(&on);
    }
    pthread_mutex_unlock(&registry);
}

static void set_active(int active)
{
    pthread_mutex_lock(&registry);
    atomic_store(&on, active);
    for (struct pomp_unit *u = units; u; u = u->next)
        u->active = active;
    pthread_mutex_unlock(&registry);
}

static struct instance *instance(struct ompregdescr *d)
{
    struct instance *i = calloc(1, sizeof *i);
    if (!i)
        _exit(78);
    i->magic = HANDLE;
    i->d = d;
    return i;
}

static struct instance *of_handle(const char *what, struct ompregdescr *d, void *handle)
{
    struct instance *i = handle;
    if (!i || i->magic != HANDLE)
        fail(what, d, i && i->magic == DEAD ? "a dead handle" : "not a handle", NULL);
    if (i->d != d)
        fail(what, d, "another region's handle", NULL);
    return i;
}

void *POMP_Parallel_fork(struct ompregdescr *d, int if_value, int num_threads)
{
    (void)if_value;
    if (num_threads < 0)
        fail("parallel_fork", d, "num_threads is negative", NULL);
    struct instance *i = instance(d);
    push(PARALLEL_FORK, "Parallel", d, i);
    return i;
}

void POMP_Parallel_begin(struct ompregdescr *d, void *handle)
{
    atomic_fetch_add(&of_handle("parallel_begin", d, handle)->begun, 1);
    push(PARALLEL_BODY, "Parallel", d, handle);
}

void POMP_Parallel_end(struct ompregdescr *d, void *handle)
{
    pop(PARALLEL_BODY, "Parallel", d, handle);
    atomic_fetch_add(&of_handle("parallel_end", d, handle)->ended, 1);
}

void POMP_Parallel_join(struct ompregdescr *d, void *handle)
{
    struct instance *i = of_handle("parallel_join", d, handle);
    pop(PARALLEL_FORK, "Parallel", d, handle);
    int begun = atomic_load(&i->begun), ended = atomic_load(&i->ended);
    /* A combined construct that cannot be split keeps its barrier, and only fork and join are written. */
    if (begun < 1 && !(strchr(d->directive, ' ') != NULL && (d->facts & POMP_HAS_BARRIER) != 0))
        fail("parallel_join", d, "no thread has begun", NULL);
    if (begun != ended && !may_be_left(d))
        fail("parallel_join", d, "not every thread that has begun has ended", NULL);
    i->magic = DEAD; /* and not freed: a late call shall find it out */
}

void *POMP_Task_create_begin(struct ompregdescr *d, int if_value)
{
    (void)if_value;
    struct instance *i = instance(d);
    push(TASK_CREATE, "Task", d, i);
    return i;
}

void POMP_Task_begin(struct ompregdescr *d, void *handle)
{
    if (atomic_fetch_add(&of_handle("task_begin", d, handle)->begun, 1) != 0)
        fail("task_begin", d, "begun twice", NULL);
    push(TASK_BODY, "Task", d, handle);
}

void POMP_Task_end(struct ompregdescr *d, void *handle)
{
    pop(TASK_BODY, "Task", d, handle);
    if (atomic_fetch_add(&of_handle("task_end", d, handle)->ended, 1) != 0)
        fail("task_end", d, "ended twice", NULL);
}

void POMP_Task_create_end(struct ompregdescr *d, void *handle)
{
    pop(TASK_CREATE, "Task", d, handle);
}

#define OPEN_enter push(ENTERED,
#define OPEN_begin push(BEGUN,
#define OPEN_exit pop(ENTERED,
#define OPEN_end pop(BEGUN,
#define POMP_X(name, type, kind) \
    void POMP_##name##_##type(struct ompregdescr *d) { OPEN_##type #name, d, NULL); }
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X

#define POMP_X(name, routine, kind) \
    extern void routine(void *) __attribute__((weak)); \
    void POMP_##name(struct ompregdescr *d, void *lock) { push(ENTERED, #name, d, lock); routine(lock); pop(ENTERED, #name, d, lock); }
FOREACH_POMP_LOCK(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) \
    extern void routine(void *, int) __attribute__((weak)); \
    void POMP_##name(struct ompregdescr *d, void *lock, int hint) { push(ENTERED, #name, d, lock); routine(lock, hint); pop(ENTERED, #name, d, lock); }
FOREACH_POMP_LOCK_WITH_HINT(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) \
    extern int routine(void *) __attribute__((weak)); \
    int POMP_##name(struct ompregdescr *d, void *lock) { push(ENTERED, #name, d, lock); int r = routine(lock); pop(ENTERED, #name, d, lock); return r; }
FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X

void POMP_Init(void) { set_active(1); }
void POMP_Finalize(void) { set_active(0); }
void POMP_On(void) { set_active(1); }
void POMP_Off(void) { set_active(0); }
void POMP_Begin(struct ompregdescr *d, const void *user) { (void)user; push(USER, "User", d, NULL); }
void POMP_End(struct ompregdescr *d, const void *user) { (void)user; pop(USER, "User", d, NULL); }

/* At the end of main nothing is open on its thread. A program that calls exit inside a construct says so to its test. */
static __attribute__((destructor)) void at_end(void)
{
    const char *file = getenv("OPARI_BALANCE");
    if (self && self->depth > 0 && !may_be_left(self->open[self->depth - 1].d))
        fail("end of the program", self->open[self->depth - 1].d, "still open", NULL);
    FILE *f = file ? fopen(file, "a") : NULL;
    if (f) {
        fprintf(f, "%ld\n", atomic_load(&calls));
        fclose(f);
    }
}
