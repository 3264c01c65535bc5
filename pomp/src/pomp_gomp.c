/* pomp_gomp.c: stands between a Fortran program and libgomp, to learn what the program's text cannot carry: which instance of a parallel
 * region a thread joins, which task it runs, and what happens to locks. It is an archive of its own, which links of Fortran programs
 * name: in C all of this travels with the program.
 */
#define _GNU_SOURCE 1

#include "pomp_gomp.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#define POMP_API __attribute__((visibility("default")))

#define POMP_PARALLEL_X(X) X(GOMP_parallel) X(GOMP_parallel_reductions)
#define POMP_LOCKS_X(X)                                                                                                        \
    X(init_lock_, INIT, 0)                                                                                                     \
    X(destroy_lock_, DESTROY, 0)                                                                                               \
    X(set_lock_, SET, 0)                                                                                                       \
    X(unset_lock_, UNSET, 0)                                                                                                   \
    X(test_lock_, TEST, 0)                                                                                                     \
    X(init_nest_lock_, INIT, 1)                                                                                                \
    X(destroy_nest_lock_, DESTROY, 1)                                                                                          \
    X(set_nest_lock_, SET, 1)                                                                                                  \
    X(unset_nest_lock_, UNSET, 1)                                                                                              \
    X(test_nest_lock_, TEST, 1)

typedef unsigned (*parallel_t)(void (*)(void *), void *, unsigned, unsigned);
typedef void (*task_t)(void (*)(void *), void *, void (*)(void *, void *), long, long, int, unsigned, void **, int, void *);
typedef int (*lock_t)(void *, void *);

/* The runtime's own routines. */
static struct {
    parallel_t GOMP_parallel, GOMP_parallel_reductions;
    task_t task;
#define POMP_X(name, what, nested) lock_t name;
    POMP_LOCKS_X(POMP_X)
#undef POMP_X
} original;

/* A program that needs nothing of the runtime but what stands here must be linked with it all the same. */
extern int omp_get_thread_num(void);
__attribute__((used)) static int (*const keep)(void) = omp_get_thread_num;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void)
{
    original.GOMP_parallel = (parallel_t)(uintptr_t)next("GOMP_parallel");
    original.GOMP_parallel_reductions = (parallel_t)(uintptr_t)next("GOMP_parallel_reductions");
    original.task = (task_t)(uintptr_t)next("GOMP_task");
#define POMP_X(name, what, nested) original.name = (lock_t)(uintptr_t)next("omp_" #name);
    POMP_LOCKS_X(POMP_X)
#undef POMP_X
    pomp_gomp_is_there();
}

/* What a thread of the team is to do, and for which instance. */
struct work {
    void (*body)(void *);
    void *data, *instance;
};

static void work(void *argument)
{
    const struct work *w = argument;
    void *before = pomp_gomp_work_for(w->instance);
    w->body(w->data);
    (void)pomp_gomp_work_for(before);
}

static unsigned parallel(parallel_t run, void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    struct work w = {body, data, pomp_gomp_forked()};
    return w.instance == NULL ? run(body, data, threads, flags) : run(work, &w, threads, flags);
}

extern void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
POMP_API void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)parallel(original.GOMP_parallel, body, data, threads, flags);
}

extern unsigned GOMP_parallel_reductions(void (*)(void *), void *, unsigned, unsigned);
POMP_API unsigned GOMP_parallel_reductions(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    return parallel(original.GOMP_parallel_reductions, body, data, threads, flags);
}

/* What stands before a task's arguments in the block that the runtime makes. */
struct task {
    void (*body)(void *);
    void (*copy)(void *, void *);
    void *task, *source;
    size_t offset, size; /* of the arguments */
};

static void *arguments(struct task *k) { return (char *)k + k->offset; }

static void run_task(void *block)
{
    struct task *k = block;
    void *before = pomp_gomp_run_task(k->task);
    k->body(arguments(k));
    (void)pomp_gomp_run_task(before);
}

/* The arguments are copied as the program wants it. */
static void copy_task(void *to, void *from)
{
    struct task *k = to;
    memcpy(k, from, sizeof *k);
    if (k->copy != NULL)
        k->copy(arguments(k), k->source);
    else
        memcpy(arguments(k), k->source, k->size);
}

enum { GOMP_TASK_FLAG_DETACH = 1 << 13 };

extern void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, int, unsigned, void **, int, void *);
POMP_API void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, int if_clause,
                        unsigned flags, void **depend, int priority, void *detach)
{
    struct task k = {body, copy, NULL, data, 0, (size_t)size};
    if (!(flags & GOMP_TASK_FLAG_DETACH)) /* into the block of such a task the runtime writes */
        k.task = pomp_gomp_created();
    if (k.task == NULL) {
        original.task(body, data, copy, size, align, if_clause, flags, depend, priority, detach);
        return;
    }
    size_t unit = align > 16 ? (size_t)align : 16;
    k.offset = (sizeof k + unit - 1) / unit * unit;
    original.task(run_task, &k, copy_task, (long)k.offset + size, (long)unit, if_clause, flags, depend, priority, detach);
}

#define POMP_X(name, what, nested)                                                                                             \
    extern int omp_##name(void *);                                                                                             \
    POMP_API int omp_##name(void *lock)                                                                                        \
    {                                                                                                                          \
        return pomp_gomp_lock(POMP_GOMP_##what, nested, 0, lock, original.name, NULL, __builtin_return_address(0));            \
    }
POMP_LOCKS_X(POMP_X)
#undef POMP_X
