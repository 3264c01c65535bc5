/* race_order.h: what the tool for data races keeps of threads, teams and tasks.
 *
 * A word here is an object of ThreadSanitizer: its address has a clock. Releasing a word adds the
 * thread's clock to it, and acquiring it orders all that was released before what follows.
 */
#ifndef RACE_ORDER_H
#define RACE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "../src/omp_tools.h"

/* These are ThreadSanitizer's. A program that was built without it has none of them. */
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
extern void *__tsan_get_current_fiber(void) __attribute__((weak));
extern void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
extern void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));
extern void __tsan_set_fiber_name(void *fiber, const char *name) __attribute__((weak));
extern void __tsan_func_entry(void *call) __attribute__((weak));
extern void __tsan_java_init(unsigned long heap, unsigned long size) __attribute__((weak));
extern void __tsan_java_free(unsigned long at, unsigned long size) __attribute__((weak));
extern void __tsan_java_move(unsigned long from, unsigned long to, unsigned long size)
    __attribute__((weak));
extern void AnnotateIgnoreReadsBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreReadsEnd(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreWritesBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreWritesEnd(const char *file, int line) __attribute__((weak));

/* Words for the iterations of a loop that dependences order; several iterations share one. */
#define RACE_ITERATIONS 1024

struct race_team {
    long references; /* the region's own, and those of its tasks */
    char begin, end, reduction;
    char barrier[2]; /* the next barrier has the other word, for threads that are slow to leave */
    char *iterations;
};

struct race_group {
    long references; /* the construct's own, and those of its tasks */
    struct race_group *outer;
    char word;
};

/* What the tasks of one parent do with one variable. */
struct race_variable {
    struct race_variable *next;
    const void *address;
    char reads, writes, shared; /* the ends of in, of out and inout, and of inoutset */
};

struct race_dependence {
    struct race_variable *variable; /* NULL: all memory */
    int type;
};

#define RACE_VARIABLES 64

struct race_task {
    long references; /* its own, and those of its children */
    struct race_task *parent;
    struct race_team *team;
    struct race_group *group;         /* the innermost */
    struct race_variable **variables; /* RACE_VARIABLES lists, for its children */
    struct race_dependence *dependences;
    int n, flags, started;
    int phase; /* how many barriers its implicit task had left when the task was created */
    int in_barrier;
    int waits; /* it is in a taskwait, a barrier or the end of a taskgroup */
    const void *code;
    void *memory; /* what the runtime has allocated for its data */
    size_t size;
    uintptr_t frame;            /* that called it, or its section */
    void *fiber;                /* the one that executes it; NULL: not started */
    struct race_spare *spare;   /* the same, if it is not the thread's own */
    struct race_spare *section; /* the fiber of the section that an implicit task is in */
    char sections, sections_ended;
    char create, end, children;
    char dependent, everything; /* the ends of children with dependences, and of those on all
                                   memory */
};

/* The callbacks of race_tasks.c. */
void race_on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                            unsigned requested, int flags, const void *code);
void race_on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code);
void race_on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           unsigned size, unsigned index, int flags);
void race_on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *data,
                         int flags, int dependences, const void *code);
void race_on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next);
void race_on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n);

/* Appends a line to the file that OPARI_RACE names. */
void race_say(const char *line);

/* Returns memory with the value 0, or NULL. */
void *race_new(size_t size);

/* The fibers of race_fibers.c. A frame is the address of the runtime's frame that called the task.
 * race_note_depth looks at the stack: a callback calls it where the program may be deep in it. */
void race_note_depth(void);
void race_fibers_start(void);
void race_fibers_make(void);
void race_section_begin(struct race_task *t, uintptr_t frame);
void race_section_end(struct race_task *t);
void race_fiber_enter(struct race_task *t, uintptr_t frame);
void race_fiber_resume(const struct race_task *t);
void race_fiber_leave(struct race_task *t);

/* Forgets who has accessed memory that the runtime uses again. */
void race_forget(const void *memory, size_t size);

/* The runtime's frame that called the current task; 0: unknown. */
uintptr_t race_frame_of_task(void);

extern ompt_get_task_info_t race_task_info;
extern ompt_get_task_memory_t race_task_memory;

#endif
