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
    uintptr_t frame;   /* the highest that called a task */
    uintptr_t deepest; /* of this thread's callbacks since its last task began or ended */
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
           __tsan_get_current_fiber != NULL && __tsan_set_fiber_name != NULL &&
           __tsan_func_entry != NULL;
}

static int is_on;

void race_fibers_start(void)
{
    const char *off = getenv("OPARI_RACE_FIBERS");
    is_on = is_available() && (off == NULL || *off != '0');
    if (is_on && __tsan_java_init != NULL)
        __tsan_java_init(8, 8); /* a heap in which nothing lies */
}

static struct race_spare *make(void)
{
    struct race_spare *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    char text[32];
    void *self = __tsan_get_current_fiber();
    s->fiber = __tsan_create_fiber(0);
    (void)snprintf(text, sizeof text, "task on %ld", thread_number());
    __tsan_set_fiber_name(s->fiber, text);
    /* A task may begin in a function that ThreadSanitizer sees. It leaves that function on the
     * fiber, where it has not entered it. */
    __tsan_switch_to_fiber(s->fiber, 1);
    for (int i = 0; i < 4; i++)
        __tsan_func_entry(__builtin_return_address(0));
    __tsan_switch_to_fiber(self, 1);
    pool.made++;
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

/* A new fiber is ordered behind all that its thread has done. So a thread makes some before its
 * first task, which is not ordered behind what the thread does next. */
void race_fibers_make(void)
{
    while (is_on && pool.made < ENOUGH) {
        struct race_spare *s = make();
        if (s == NULL)
            return;
        give(s);
    }
}

static struct race_spare *take(void)
{
    race_fibers_make();
    struct race_spare *s = pool.first;
    if (s == NULL && pool.made < MOST)
        return make();
    if (s != NULL) {
        pool.first = s->next;
        if (pool.first == NULL)
            pool.last = NULL;
    }
    return s;
}

/* ---- memory that is used again */

/* Java's collector tells ThreadSanitizer what it frees and moves. Both together leave memory
 * without any access: the move brings what nobody has accessed. */
static void forget(uintptr_t at, uintptr_t end)
{
    static char unused[4096] __attribute__((aligned(8)));
    if (!is_on || __tsan_java_move == NULL || __tsan_java_free == NULL)
        return;
    for (uintptr_t n; at < end; at += n) {
        n = end - at < sizeof unused ? end - at : sizeof unused;
        __tsan_java_free(at, n);
        __tsan_java_move((uintptr_t)unused, at, n);
    }
}

void race_forget(const void *memory, size_t size)
{
    const uintptr_t at = (uintptr_t)memory;
    forget((at + 7) & ~(uintptr_t)7, (at + size) & ~(uintptr_t)7);
}

/* Tasks use the same frames on the stack of a thread, one after the other, and so do the functions
 * that their parent calls. That is no race. A task's part of the stack begins at the frame that
 * called it. Its end is unknown: the callbacks see how deep they are. */
#define DEEPER 4096

void race_note_depth(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (pool.deepest == 0 || here < pool.deepest)
        pool.deepest = here;
}

static void forget_stack(uintptr_t frame)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    race_note_depth();
    if (frame > here)
        forget((pool.deepest - DEEPER) & ~(uintptr_t)7, frame & ~(uintptr_t)7);
    pool.deepest = here;
}

/* What lies deeper is not forgotten. Who reads the reports learns where that is: below the
 * address. */
static void note_frame(uintptr_t frame)
{
    char text[64];
    if (frame <= pool.frame)
        return;
    pool.frame = frame;
    (void)snprintf(text, sizeof text, "frame %ld %#lx\n", thread_number(),
                   (unsigned long)(frame - DEEPER));
    race_say(text);
}

static void begin_stack(uintptr_t frame)
{
    note_frame(frame);
    forget_stack(frame);
}

/* ---- tasks */

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
    t->frame = frame;
    begin_stack(frame);
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
    forget_stack(t->frame);
    give(t->spare);
    t->spare = NULL;
}

/* Sections, too, could be executed by several threads, and end with their construct. */
void race_section_begin(struct race_task *t, uintptr_t frame)
{
    race_section_end(t);
    t->section = is_on ? take() : NULL;
    if (t->section == NULL)
        return;
    t->frame = frame;
    begin_stack(frame);
    __tsan_switch_to_fiber(t->section->fiber, 1);
    __tsan_acquire(&t->sections);
}

void race_section_end(struct race_task *t)
{
    struct race_spare *s = t->section;
    if (s == NULL)
        return;
    __tsan_release(&t->sections_ended);
    __tsan_switch_to_fiber(t->fiber, 1);
    forget_stack(t->frame);
    give(s);
    t->section = NULL;
}
