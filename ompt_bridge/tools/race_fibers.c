/* race_fibers.c: tasks as threads of their own to ThreadSanitizer.
 *
 * ThreadSanitizer orders what one thread executes. Tasks that could run at the same time may all
 * run on one thread, so a race between them would show in some runs only. A fiber is a thread
 * without a processor: it has a clock of its own, so its order to others is only what race_tasks.c
 * announces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "race_order.h"

/* To make a fiber takes as long as to run thousands of instructions, and ThreadSanitizer forgets
 * the stacks of those that ended. So each thread keeps some and uses the one that rested longest. A
 * task is then ordered behind the earlier ones on its fiber, which hides some races and invents
 * none. */
#define ENOUGH 16
#define MOST 48

/* A construct whose tasks are many has shown by the first ones what it can. */
#define ALWAYS 1024
#define ONE_OF 64
#define COUNTERS 256

struct race_spare {
    struct race_spare *next;
    void *fiber;
};

static __thread struct {
    struct race_spare *first, *last;
    int made;
    long thread;
} pool;

static long thread_number(void)
{
    if (pool.thread == 0)
        pool.thread = (long)syscall(SYS_gettid);
    return pool.thread;
}

static unsigned counters[COUNTERS];

/* Whether the next task of a construct gets a fiber. Two constructs may share a counter. */
static int is_due(const void *code)
{
    const uintptr_t at = (uintptr_t)code;
    unsigned n = __atomic_fetch_add(&counters[(at ^ (at >> 8)) % COUNTERS], 1, __ATOMIC_RELAXED);
    return n < ALWAYS || n % ONE_OF == 0;
}

static int is_available(void)
{
    return __tsan_create_fiber != NULL && __tsan_switch_to_fiber != NULL &&
           __tsan_get_current_fiber != NULL && __tsan_set_fiber_name != NULL;
}

static int is_on;

void race_fibers_start(void)
{
    const char *off = getenv("OPARI_RACE_FIBERS");
    is_on = is_available() && (off == NULL || *off != '0');
}

static struct race_spare *make(void)
{
    struct race_spare *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->fiber = __tsan_create_fiber(0);
    pool.made++;
    return s;
}

static struct race_spare *take(void)
{
    struct race_spare *s = pool.first;
    if (pool.made < ENOUGH || (s == NULL && pool.made < MOST))
        return make();
    if (s != NULL) {
        pool.first = s->next;
        if (pool.first == NULL)
            pool.last = NULL;
    }
    return s;
}

static void give(struct race_spare *s)
{
    s->next = NULL;
    if (pool.last != NULL)
        pool.last->next = s;
    else
        pool.first = s;
    pool.last = s;
}

/* Tasks use the same frames on the stack of a thread, one after the other, which is no race. Who
 * reads the reports knows these frames by the name: those below the address are the task's. */
static void name(void *fiber, uintptr_t frame)
{
    char text[48];
    (void)snprintf(text, sizeof text, "task on %ld below %#lx", thread_number(),
                   (unsigned long)frame);
    __tsan_set_fiber_name(fiber, text);
}

void race_fiber_enter(struct race_task *t, uintptr_t frame)
{
    if (!is_on)
        return;
    t->spare = is_due(t->code) ? take() : NULL;
    if (t->spare == NULL) {
        t->fiber = __tsan_get_current_fiber();
        return;
    }
    t->fiber = t->spare->fiber;
    name(t->fiber, frame);
    __tsan_switch_to_fiber(t->fiber, 1);
}

void race_fiber_resume(const struct race_task *t)
{
    if (is_on && t->fiber != NULL && t->fiber != __tsan_get_current_fiber())
        __tsan_switch_to_fiber(t->fiber, 1);
}

void race_fiber_leave(struct race_task *t)
{
    if (t->spare == NULL)
        return;
    give(t->spare);
    t->spare = NULL;
}
