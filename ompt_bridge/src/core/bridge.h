/* bridge.h: the part of the bridge that pomp/ uses, and the records that the bridge keeps.
 *
 * The bridge and its user form one translation unit: every function here is static, and the fast
 * ones are inline. Only a thread itself writes its record, so the path of an event shares nothing.
 * These rules hold everywhere:
 *   - The bridge sets the thread's state before a callback can read it.
 *   - A thread ignores an event that comes while it is inside another one: from a signal handler,
 *     or from a tool that itself uses OpenMP.
 *   - The user's control flow can leave constructs open: cancel, longjmp, an exception, pomp_off.
 *     The thread's next event that shows this closes them, innermost first.
 */
#ifndef OPARI_BRIDGE_H
#define OPARI_BRIDGE_H

#include "../opari_ext.h"
#include "../platform/platform.h"

enum {
    /* Tools that can be attached at once. A tool of an older generation counts as two. */
    OPARI_TOOLS = 4,
    OPARI_EVENTS = 42, /* events of ompt_callbacks_t, then the four of the extension */
    OPARI_STACK = 48,  /* entries of a thread before its stack is enlarged */
    /* Nestable locks that a thread can hold at once while the bridge still counts their depth. */
    OPARI_NEST_LOCKS = 64,
    OPARI_DEEPEST = 1 << 20,
    OPARI_NEST_LISTED = 1, /* a value that is no lock's address */
    OPARI_AWAY = 16        /* records of tasks that a thread returns to their owner together */
};

/* What an entry of a thread's stack stands for. Entries up to OPARI_AT_TASK are found by their
 * record, and the search for an exit's entry never goes past one of them. */
enum opari_what {
    OPARI_AT_BASE,
    OPARI_AT_FORK,
    OPARI_AT_IMPLICIT,
    OPARI_AT_TASK,
    OPARI_AT_CREATE,
    OPARI_AT_WORK,
    OPARI_AT_SINGLE,
    OPARI_AT_SINGLE_BODY, /* the same entry while the thread executes the block */
    OPARI_AT_SECTION,
    OPARI_AT_MASKED,
    OPARI_AT_MUTEX,
    OPARI_AT_BARRIER,
    OPARI_AT_TASKWAIT,
    OPARI_AT_TASKGROUP,
    OPARI_AT_REGION,
    OPARI_AT_CANCEL,
    OPARI_AT_USER
};

/* The lazy construct that a thread is in, see constructs/lazy.c. */
enum opari_lazy {
    OPARI_LAZY_NONE = 1,
    OPARI_LAZY_MASKED,
    OPARI_LAZY_CRITICAL_ASKED,
    OPARI_LAZY_CRITICAL, /* asked for and acquired */
    OPARI_LAZY_ORDERED_ASKED,
    OPARI_LAZY_ORDERED,
    OPARI_LAZY_BARRIER, /* also that of a worksharing construct with merged calls (POMP_MERGES) */
    OPARI_LAZY_TASKWAIT,
    OPARI_LAZY_BODY, /* the block of a single */
    OPARI_LAZYS
};

/* The answers of ompt_enumerate_mutex_impls: how the runtime implements mutual exclusion, as far as
 * the bridge knows. */
enum { OPARI_IMPL_TURN = 1, OPARI_IMPL_MUTEX = 2 };

/* Flags of an entry. */
enum {
    OPARI_ENTRY_ACQUIRED = 1, /* mutex: the thread owns it. single: this thread is the executor, or
                                 has been reported as another. taskgroup: it waits. loop: of.loop is
                                 known */
    OPARI_ENTRY_DOCKED = 2,   /* implicit task: it waits at the end of its region */
    OPARI_ENTRY_YIELD = 8,    /* region: taskyield */
    OPARI_ENTRY_AT_EXECUTION =
        1024, /* create: the task's creation is raised where the task is executed */
    OPARI_ENTRY_TASKWAIT = 16384, /* create: of the task that stands for a taskwait with
                                     dependences */
    OPARI_ENTRY_BARRIER = 4,      /* implicit task: an explicit barrier replaces the implicit one at
                                     the end */
    OPARI_ENTRY_DONE = 16,        /* work: its end has been raised, only the construct's barrier
                                     follows. taskgroup: all of its events have been raised */
    OPARI_ENTRY_GROUP = 32,       /* taskloop: it has a taskgroup of its own */
    OPARI_ENTRY_PART = 128,       /* barrier, work: its events are a part of its construct's */
    OPARI_ENTRY_QUIET = 64,       /* barrier: of a team of one, raises no events */
    OPARI_ENTRY_REDUCES = 512,    /* work: the thread combines its values. taskgroup, taskloop: they
                                     are combined after the wait */
    OPARI_ENTRY_TARGET = 2048, /* region: of.target has begun, and its end must still be raised */
    OPARI_ENTRY_LAST = 4096,   /* barrier: the last of a parallel region */
    OPARI_ENTRY_KEEPS = 256,   /* implicit task: counted in its region's kept */
    OPARI_ENTRY_TIMED = OPARI_ENTRY_ACQUIRED, /* user: of.call is known */
    OPARI_ENTRY_MERGED = 8192                 /* fork: of a merged region, see gomp/parallel.c */
};

/* The life of an explicit task. The search for tasks that never run looks only for
 * OPARI_TASK_CREATED, so a record keeps its value when it is given back or serves an implicit
 * task. */
enum opari_task_life { OPARI_TASK_FREE, OPARI_TASK_CREATED, OPARI_TASK_RUNNING };

/* A task region. An explicit task may end on another thread than the one that created it; its
 * record then goes back to its owner. As few cache lines as possible pass between the two threads:
 * a task that nobody awaits needs only the first two. */
struct opari_task {
    ompt_data_t data[OPARI_TOOLS];
    ompt_frame_t frame;
    struct opari_task *next; /* in a free list, or in the list of tasks with an event */
    struct opari_parallel *parallel;
    struct opari_task *below; /* the task that this one interrupts on its thread; before it begins,
                                 the task that created it */
    struct opari_thread *owner;
    int flags, index, life;
    unsigned lives;  /* how often the record has been given back */
    int makes_plain; /* the tasks that it creates get their flags from their own clauses alone */
    unsigned number; /* its number among the tasks that the owner has created */
    int ends_slow;   /* it has or had an event, or is awaited: opari_task_end_slow ends it */
    struct ompregdescr *region;
    uintptr_t event; /* the event of a detach clause until it is fulfilled; 0: none */
    int detached;    /* the body has ended, its event is not yet fulfilled */
    int awaited;     /* other tasks may wait for its end, see constructs/depend.c */
    /* Of a docked implicit task: the code pointer of the begin of its last wait, which the end
     * repeats. */
    const void *arrived;
    struct opari_task *older; /* the next in the list of all explicit tasks of the owner */
};
_Static_assert(offsetof(struct opari_task, event) <= 128, "two cache lines");

/* A team. The fork makes it, and the join on the same thread gives it back. What all of its threads
 * read comes first. What they write at the end of the region is separate: each of the three parts
 * has cache lines of its own. */
struct opari_parallel {
    ompt_data_t data[OPARI_TOOLS];
    struct ompregdescr *region;
    int size;                    /* threads; 0 until one of them has begun */
    int works;                   /* the state of a thread while it executes one of the team's
                                    explicit tasks */
    void (*fn)(void *), *shared; /* where the library intercepts the runtime's calls: the function
                                    that the team executes, and the data that the program passes to
                                    it */
    struct opari_task *parent;   /* the encountering task */
    unsigned parent_life;        /* the parent's lives, see opari_task_encountering */
    unsigned kept; /* threads whose implicit task has no end event yet, although the region may have
                      ended */
    /* The construct's address. pending holds it while the begin event is pending and is null
     * otherwise, see opari_parallel_raise_begin. ra holds it throughout. */
    const void *pending, *ra;
    /* Where the region is merged, see gomp/parallel.c: the number of tasks that its thread had
     * created before, and what the runtime is asked for. */
    unsigned made, threads, bind;
    int requested, flags;
    struct opari_parallel *next; /* in the free list */
    struct opari_task first;     /* where the region is merged: the implicit task of the
                                    encountering thread */
    unsigned arrivals __attribute__((aligned(64))); /* see entry/team_barrier.c */
} __attribute__((aligned(64)));

/* One entry of a thread's stack of constructs. */
struct opari_entry {
    struct ompregdescr *region;
    short what, flags;
    int detail;     /* ompt_work_t, ompt_sync_region_t, ompt_mutex_t, opari_region_class_t */
    int state;      /* the state that its end restores */
    const void *ra; /* the begin's code pointer, for an end that no call of the program raises;
                       tasks have none */
    union {
        struct opari_parallel *parallel;
        struct opari_task *task;
        ompt_wait_id_t wait_id;
        uint64_t count; /* taskloop: iterations */
        struct {
            uint64_t origin; /* the first iteration and the step to the next */
            int64_t step;
            /* Where a recorder wants to know of the loop's chunks, see gomp/dealt.c: the calls for
             * another one, the number of the one that is timed next, how many were timed, the
             * ticks of the loop's first call; the ticks of the timed ones beyond those of a
             * reference, the distance that all chunks cover; the last chunk. */
            uint32_t calls, due, timed, first;
            uint64_t ticks, span, from, to;
        } loop;
        struct {
            uint64_t start, inner; /* ticks: the begin; of the calls of the same function inside */
        } call;
        const void *user;
        struct opari_target *target;
        unsigned made; /* taskgroup: the thread's made at its begin */
    } of;
};

struct opari_nest_lock {
    ompt_wait_id_t lock;
    unsigned depth;
};

/* What the program has announced about the region that it enters next: the number of iterations, or
 * the value of final. */
struct opari_announced {
    const struct ompregdescr *region;
    uint64_t value;
};

/* A thread. A record is reused by a later thread when its own has ended. */
struct opari_thread {
    int state;
    struct opari_entry *top, *limit; /* the innermost entry; the last one that there is room for */
    struct opari_task *task;         /* the current one */
    /* The parallel region that the thread meets next, if that one is merged; else null. */
    struct ompregdescr *ahead;
    ompt_wait_id_t wait_id;
    ompt_wait_id_t nest_only;    /* the only nestable lock that it holds, held once; 0: none;
                                    OPARI_NEST_LISTED: see nest */
    struct opari_target *target; /* the construct of the target family that it is in, see
                                    target/constructs.c; null: none */
    struct opari_regions regions;
    struct {
        struct ompregdescr *region;
        const void *ra;
        ompt_wait_id_t wait_id;
        int state; /* the state that its end restores */
        int kind;  /* of a barrier */
    } lazy;        /* see constructs/lazy.c */
    ompt_data_t data[OPARI_TOOLS];
    /* Records of teams. A tool may still ask for the words of a kept one. */
    struct opari_parallel *free_parallels, *kept_parallels;
    struct opari_task *free_tasks, *all_tasks;
    struct {
        struct opari_task *first, *last; /* first is null when the list is empty; last is undefined
                                            then */
        unsigned n;
    } away; /* tasks of one other owner that this thread has ended, see free_lists.c */
    struct opari_announced announced; /* about the construct that it meets next */
    /* How many tasks it has created, and how many when it was last outside every team. */
    unsigned made, made_out;
    struct opari_depend *depends; /* null at first, see constructs/depend.c */
    unsigned nest_locks;
    struct opari_nest_lock nest[OPARI_NEST_LOCKS];
    struct opari_task base_task;
    struct opari_parallel base_parallel;
    struct opari_entry *stack, first[OPARI_STACK];
    int type; /* ompt_thread_t */
    struct opari_thread *next, *next_free;
    /* Tasks that other threads push here, so it has a cache line of its own. */
    struct opari_task *returned_tasks __attribute__((aligned(64)));
};

/* The attached tools. Callbacks are set before the measurement starts, or by a tool while it runs,
 * so they are read with acquire order. */
struct opari_tool {
    ompt_start_tool_result_t *result;
    ompt_callback_t call[OPARI_EVENTS];
};
static struct {
    unsigned count;
    /* The callback that raises each event for all tools, see callbacks.c. plain is null where the
     * trace recorder is the only tool. */
    ompt_callback_t callback[OPARI_EVENTS], plain[OPARI_EVENTS];
    struct opari_tool tool[OPARI_TOOLS];
} opari_tools;

/* What the environment says about the user's tool. Every string may be null. */
struct opari_search {
    const char *tool;      /* OMP_TOOL */
    const char *libraries; /* OMP_TOOL_LIBRARIES */
    const char *verbose;   /* OMP_TOOL_VERBOSE_INIT */
    const char *provider;  /* OPARI_OMPT: bridge, native or off */
    const char *dialect;   /* OPARI_OMPT_DIALECT: 5.0, 5.1 or 5.2 */
};

static int opari_dialect = 51; /* the version whose numbers tools get: 50, 51, 52 */
/* The number of opari's own tools, which come first. The user's tools follow. */
static unsigned opari_own_tools;

static struct opari_thread opari_no_thread;  /* never ready */
static struct opari_thread opari_suppressed; /* also never ready: stands for threads that get no
                                             record, see opari_suppress_begin */
/* The calling thread's record; null before its first event. */
static OPARI_TLS struct opari_thread *opari_self;
/* The same, but &opari_no_thread instead of null. */
static OPARI_TLS struct opari_thread *opari_here = &opari_no_thread;
static int opari_begins_pending;   /* the code that intercepts the runtime raises the begin of a
                                      parallel region, once the region's data are laid out */
static int opari_cancels;          /* some thread has met a cancel directive */
static int opari_trace_only;       /* the trace recorder is the only tool, see direct.c */
static int opari_trace_only_tasks; /* the same, and it gives tasks no numbers */
/* Loops raise their kind or their chunks, see opari_update_callbacks. */
static int opari_loops_differ;
static int opari_chunks_wanted; /* a recorder or a tool wants to know of the chunks of loops */

enum {
    OPARI_EVENT_REGION = 38,
    OPARI_EVENT_UNLOAD = 39,
    OPARI_EVENT_CONTROL = 40,
    OPARI_EVENT_CREATED = 41
};

/* The initializers of tools of the older generations. */
typedef void (*opari_2016_initialize_t)(ompt_interface_fn_t (*lookup)(const char *),
                                        const char *runtime, unsigned version);
typedef int (*opari_2013_initialize_t)(ompt_interface_fn_t (*lookup)(const char *),
                                       const char *runtime, unsigned version);

/* The callback of one tool for an event. */
OPARI_INLINE ompt_callback_t opari_call(unsigned tool, int event)
{
    return OPARI_ACQUIRE(&opari_tools.tool[tool].call[event]);
}

#define OPARI_TOOLS_EACH(tool) \
    for (unsigned tool = 0, tools_ = OPARI_ACQUIRE(&opari_tools.count); tool < tools_; tool++)

/* Ends the target construct of an entry with OPARI_ENTRY_TARGET. The code that makes the first such
 * entry sets it. */
static void (*opari_target_closer)(struct opari_thread *t, struct opari_entry *e, const void *ra);

#endif
