/* fortran_task.c: tasks in Fortran's text. The runtime gets them with a head before their data; see
 * interposed.c.
 */
#include "../state/state.h"

#include <string.h>

/* Flags of the runtime's routines. */
enum {
    POMP_GOMP_FINAL = 1 << 1,
    POMP_GOMP_DEPEND = 1 << 3,
    POMP_GOMP_IF = 1 << 10, /* for a taskloop: its tasks may be deferred */
    POMP_GOMP_NOGROUP = 1 << 11,
    POMP_GOMP_REDUCTION = 1 << 12,
    POMP_GOMP_DETACH = 1 << 13
};

#define POMP_TASK_PARAMETERS \
    (void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align, \
     _Bool if_clause, unsigned flags, void **depend, int priority, void *detach)
#define POMP_TASK_ARGUMENTS \
    (fn, data, copy, size, align, if_clause, flags, depend, priority, detach)
POMP_NEXT_OF(GOMP_task, POMP_TASK_PARAMETERS, POMP_TASK_ARGUMENTS)

/* The head of a task in Fortran's text, which precedes the task's data. The task begins here,
 * because the text cannot know which task it is in. */
struct pomp_fortran_block_head {
    void *event; /* written by the runtime for a detachable task */
    struct ompregdescr *region;
    struct opari_task *task;
    void (*fn)(void *);
    void (*copy)(void *, void *);
    void *source;
    size_t offset, size; /* of its data */
    int detach;
};

static OPARI_NOINLINE void pomp_fortran_begins(const struct pomp_fortran_block_head *head,
                                               void *frame)
{
    struct opari_thread *t = opari_event_begin(head->region);
    if (t == NULL)
        return;
    opari_task_before(t);
    if (opari_has_room(t))
        opari_task_begin(t, head->region, head->task, frame);
    opari_event_end();
}

/* ThreadSanitizer keeps the functions that each task is in. A task begins here and ends in the text
 * of the program's function: what enters that function is the task, and what leaves it is the task
 * before. So the task before enters one function more, and the task leaves one more. */
extern void __tsan_func_entry(void *call) __attribute__((weak));
extern void __tsan_func_exit(void) __attribute__((weak));

static void pomp_fortran_run(void *block)
{
    struct pomp_fortran_block_head *head = block;
    const int watched = __tsan_func_entry != NULL && __tsan_func_exit != NULL;
    if (OPARI_UNLIKELY(watched))
        __tsan_func_entry((void *)(uintptr_t)POMP_CALLER);
    OPARI_TAKES_OVER(block);
    OPARI_TAKES_OVER(head->task);
    const ompt_callback_task_schedule_t schedule = (ompt_callback_task_schedule_t)OPARI_ACQUIRE(
        &opari_tools.plain[ompt_callback_task_schedule]);
    struct opari_thread *t = opari_ready();
    if (OPARI_LIKELY(schedule != NULL && t != NULL && t->top != t->limit &&
                     t->top->what < OPARI_AT_REGION)) {
        opari_event_enter(t, head->region);
        opari_task_switch(t, head->region, head->task, ompt_task_switch, POMP_OWN_FRAME, schedule);
        opari_event_end();
    } else {
        pomp_fortran_begins(head, POMP_OWN_FRAME);
    }
    if (OPARI_UNLIKELY(watched))
        __tsan_func_exit();
    head->fn((char *)block + head->offset);
    __asm__ volatile(""); /* prevents a jump, so that the frame that the tool got remains */
}

static void pomp_fortran_copy(void *to, void *from)
{
    struct pomp_fortran_block_head *head = from;
    void *data = (char *)to + head->offset;
    if (head->detach) {
        if (pomp_has_tool())
            opari_task_await(head->task, (uintptr_t)head->event);
        *(void **)head->source = head->event;
    }
    memcpy(to, head, sizeof *head);
    if (head->copy != NULL)
        head->copy(data, head->source);
    else if (head->size != 0)
        memcpy(data, head->source, head->size);
    OPARI_HANDS_OVER(to);
}

/* Creates the task that Fortran's text has announced. */
static struct opari_task *pomp_fortran_create(_Bool if_clause, unsigned flags)
{
    const struct pomp_fortran_task ahead = pomp_fortran_next_task;
    pomp_fortran_next_task.region = NULL;
    struct opari_thread *t = pomp_known_thread();
    if (t == NULL)
        return NULL;
    t->regions.event = ahead.region; /* the event of the call that announced the task */
    const int final = (flags & POMP_GOMP_FINAL) != 0;
    struct opari_task *k =
        !opari_has_task_room(t)
            ? NULL
            : opari_task_create_begin(t, ahead.region,
                                      pomp_task_flags(t, ahead.region, if_clause, final),
                                      (flags & POMP_GOMP_DEPEND) != 0, ahead.ra, ahead.frame);
    opari_event_end();
    return k;
}

/* Returns the offset of a task's data after its head. */
OPARI_INLINE size_t pomp_fortran_offset(size_t unit)
{
    return (sizeof(struct pomp_fortran_block_head) + unit - 1) / unit * unit;
}

/* Returns the callback for the task that Fortran's text has announced, if it has no flags and the
 * text's calls are merged; else null. See POMP_Task_create. */
OPARI_INLINE ompt_callback_task_create_t pomp_fortran_creates_plain(_Bool if_clause, unsigned flags)
{
    const struct ompregdescr *d = pomp_fortran_next_task.region;
    const struct opari_thread *t = opari_here;
    if (d == NULL || !if_clause || !OPARI_LOAD(&pomp.merges) ||
        (flags & (POMP_GOMP_FINAL | POMP_GOMP_DEPEND | POMP_GOMP_DETACH)) != 0 ||
        (d->facts & (POMP_HAS_DEPEND | POMP_HAS_DETACH | POMP_HAS_UNTIED)) != 0 ||
        !opari_is_ready(t) || t->free_tasks == NULL || !t->task->makes_plain)
        return NULL;
    return (ompt_callback_task_create_t)OPARI_ACQUIRE(
        &opari_tools.plain[ompt_callback_task_create]);
}

static OPARI_NOINLINE void pomp_fortran_plain_task(ompt_callback_task_create_t create,
                                                   void (*fn)(void *), void *data,
                                                   void (*copy)(void *, void *), long size,
                                                   long align, unsigned flags, int priority)
{
    struct opari_thread *t = opari_here;
    struct ompregdescr *d = pomp_fortran_next_task.region;
    pomp_fortran_next_task.region = NULL;
    opari_event_enter(t, d);
    const size_t unit = align > 16 ? (size_t)align : 16, offset = pomp_fortran_offset(unit);
    struct opari_task *k =
        opari_task_create_plain(t, create, pomp_fortran_next_task.ra, pomp_fortran_next_task.frame);
    opari_event_end();
    struct pomp_fortran_block_head head = {NULL, d, k, fn, copy, data, offset, (size_t)size, 0};
    OPARI_LOAD (&pomp_next_GOMP_task)(pomp_fortran_run, &head, pomp_fortran_copy,
                                      (long)offset + size, (long)unit, 1, flags, NULL, priority,
                                      NULL);
    opari_clear_enter_frame(opari_here->task);
    pomp_fortran_next_task.made = d;
}
