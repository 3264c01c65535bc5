/* bridge.h: what pomp/ sees of the bridge, and the records it keeps.
 *
 * The bridge is one translation unit with its user: every function here is static, the fast ones
 * inline. A thread's record is written by its own thread only, so nothing on the path of an event
 * is shared. Rules that hold everywhere:
 *   - the state is set before a callback sees it;
 *   - an event is ignored while the thread is inside one (a signal handler, or a tool that uses
 * OpenMP itself);
 *   - what the user's control flow leaves open (cancel, longjmp, an exception, pomp_off) is closed,
 * innermost first, when the thread's next event shows that it has left.
 */
#ifndef OPARI_BRIDGE_H
#define OPARI_BRIDGE_H

#include "../opari_ext.h"
#include "../platform/platform.h"

enum {
    OPARI_TOOLS =
        4, /* tools that can be attached at once; two of them where one is of an older generation */
    OPARI_EVENTS = 42, /* ompt_callbacks_t, then the four of the extension */
    OPARI_STACK = 48,  /* entries of a thread before its stack is enlarged */
    OPARI_NEST_LOCKS =
        64, /* nestable locks that a thread can hold at once with their depth known */
    OPARI_DEEPEST = 1 << 20,
    OPARI_NEST_LISTED = 1, /* no lock's address */
    OPARI_AWAY = 16        /* records of tasks that go back to their owner at once */
};

/* What an entry of a thread's stack stands for. Up to OPARI_AT_TASK the entries are found by their
 * record, and an exit never looks beyond them. */
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
    OPARI_LAZY_CRITICAL, /* and has */
    OPARI_LAZY_ORDERED_ASKED,
    OPARI_LAZY_ORDERED,
    OPARI_LAZY_BARRIER, /* a worksharing construct's, too, where calls are joined (POMP_JOINS) */
    OPARI_LAZY_TASKWAIT,
    OPARI_LAZY_BODY, /* of a single */
    OPARI_LAZYS
};

/* What ompt_enumerate_mutex_impls lists: how the runtime implements mutual exclusion, as far as it
 * is known. */
enum { OPARI_IMPL_TURN = 1, OPARI_IMPL_MUTEX = 2 };

/* Flags of an entry. */
enum {
    OPARI_ENTRY_ACQUIRED = 1, /* mutex: its owner; single: the executor, or reported as not being
                                 it; taskgroup: waiting; loop: of.loop is known */
    OPARI_ENTRY_DOCKED =
        2, /* implicit task: it has arrived at the end of its region and waits there */
    OPARI_ENTRY_YIELD = 8, /* region: taskyield */
    OPARI_ENTRY_AT_EXECUTION =
        1024, /* create: of a task whose creation is raised where it is executed */
    OPARI_ENTRY_TASKWAIT = 16384, /* create: of the task that a taskwait with dependences is */
    OPARI_ENTRY_BARRIER = 4,   /* implicit task: an explicit barrier stood for the one at the end */
    OPARI_ENTRY_DONE = 16,     /* work: its end has been raised; what is left is the barrier of the
                                  construct. taskgroup: all events have been raised */
    OPARI_ENTRY_GROUP = 32,    /* taskloop: within a taskgroup of its own */
    OPARI_ENTRY_PART = 128,    /* barrier, work: its events are a part of its construct's */
    OPARI_ENTRY_QUIET = 64,    /* barrier: of a team of one, without events */
    OPARI_ENTRY_REDUCES = 512, /* work: its values are being combined. taskgroup, taskloop: they
                                  will be, behind its waiting */
    OPARI_ENTRY_TARGET = 2048, /* region: of.target has begun, and its end is to be raised */
    OPARI_ENTRY_LAST = 4096,   /* barrier: the last of a parallel region */
    OPARI_ENTRY_KEEPS = 256,   /* implicit task: counted in its region's kept */
    OPARI_ENTRY_MERGED = 8192  /* fork: merged, see gomp/parallel.c */
};

/* Of an explicit task. Who takes back what never runs looks for those that are created alone, so a
 * record that is given back or serves an implicit task keeps what it had. */
enum opari_task_life { OPARI_TASK_FREE, OPARI_TASK_CREATED, OPARI_TASK_RUNNING };

/* A task region. Explicit ones may end on another thread than the one that made them; they go back
 * to its owner. Between the two there go as few cache lines as possible: two hold all that a task
 * needs which nobody awaits. */
struct opari_task {
    ompt_data_t data[OPARI_TOOLS];
    ompt_frame_t frame;
    struct opari_task *next; /* in a free list; in the list of those with an event */
    struct opari_parallel *parallel;
    struct opari_task *below; /* the task that this one interrupts on its thread; before it begins,
                                 the one that made it */
    struct opari_thread *owner;
    int flags, index, life;
    unsigned lives;  /* how often the record has been given back */
    int makes_plain; /* whether nothing but their own clauses gives flags to the tasks that it makes
                      */
    unsigned number; /* among those that the owner has made */
    int ends_slow;   /* it has or had an event, or is awaited: ends by opari_task_end_slow */
    struct ompregdescr *region;
    uintptr_t event; /* of a detach clause, until it is fulfilled; 0: none */
    int detached;    /* the body has ended, the event is awaited */
    int awaited;     /* others may wait for its end, see constructs/depend.c */
    const void *
        arrived; /* implicit, docked: the code pointer of the begin of its last wait, for the end */
    struct opari_task *older; /* all explicit tasks of the owner */
};
_Static_assert(offsetof(struct opari_task, event) <= 128, "two cache lines");

/* A team. Made by the fork, given back by the join on the same thread. What all of its threads read
 * stands first, what they write at the end of the region is separate: each of the three parts has
 * cache lines of its own. */
struct opari_parallel {
    ompt_data_t data[OPARI_TOOLS];
    struct ompregdescr *region;
    int size;                    /* threads; 0 until one of them has begun */
    int works;                   /* the state of a thread that executes one of its explicit tasks */
    void (*fn)(void *), *shared; /* where the library stands before the runtime: what the team
                                    executes, and what the program hands to it */
    struct opari_task *parent;   /* the encountering task */
    unsigned parent_life;        /* the parent's, see opari_task_encountering */
    unsigned kept; /* threads whose implicit task has no end event yet, though the region may have
                      ended */
    /* The construct's address. pending: while its begin event is pending, else null, see
     * opari_parallel_raise_begin. ra: always, where it is merged. */
    const void *pending, *ra;
    /* Where it is merged, see gomp/parallel.c: the tasks that its thread had made before, and what
     * the runtime is asked for. */
    unsigned made, threads, bind;
    int requested, flags;
    struct opari_parallel *next; /* in the free list */
    struct opari_task first;     /* where it is merged: the implicit task of its own thread */
    unsigned arrivals __attribute__((aligned(64))); /* see entry/team_barrier.c */
} __attribute__((aligned(64)));

/* One entry of a thread's stack of constructs. */
struct opari_entry {
    struct ompregdescr *region;
    short what, flags;
    int detail;     /* ompt_work_t, ompt_sync_region_t, ompt_mutex_t, opari_region_class_t */
    int state;      /* to go back to */
    const void *ra; /* the begin's code pointer, where the end may have to be raised without a call
                       of the program's; not of tasks */
    union {
        struct opari_parallel *parallel;
        struct opari_task *task;
        ompt_wait_id_t wait_id;
        uint64_t count; /* taskloop: iterations */
        struct {
            uint64_t origin; /* the first iteration, and what leads to the next */
            int64_t step;
        } loop;
        const void *user;
        struct opari_target *target;
        unsigned made; /* taskgroup: the thread's at its begin */
    } of;
};

struct opari_nest_lock {
    ompt_wait_id_t lock;
    unsigned depth;
};

/* What the program has announced of the region that it enters next: iterations, or the value of
 * final. */
struct opari_announced {
    const struct ompregdescr *region;
    uint64_t value;
};

/* A thread. Records are reused when threads come and go. */
struct opari_thread {
    int state;
    struct opari_entry *top, *limit; /* the innermost entry; the last one there is room for */
    struct opari_task *task;         /* the current one */
    struct ompregdescr
        *ahead; /* of the parallel region that it meets next, where that is merged; else null */
    ompt_wait_id_t wait_id;
    ompt_wait_id_t nest_only;    /* the one nestable lock that it holds, held once; 0: none;
                                    OPARI_NEST_LISTED: see nest */
    struct opari_target *target; /* the construct of the target family that it is in, see
                                    target/constructs.c; null: none */
    struct opari_regions regions;
    struct {
        struct ompregdescr *region;
        const void *ra;
        ompt_wait_id_t wait_id;
        int state; /* to go back to */
        int kind;  /* of a barrier */
    } lazy;        /* see constructs/lazy.c */
    ompt_data_t data[OPARI_TOOLS];
    struct opari_parallel *free_parallels,
        *kept_parallels; /* the latter still keep words that a tool may ask for */
    struct opari_task *free_tasks, *all_tasks;
    struct {
        struct opari_task *first, *last; /* null, and no matter what */
        unsigned n;
    } away; /* of tasks that it has ended for another thread, all of one owner; see free_lists.c */
    struct opari_announced announced; /* of the construct that is about to be met */
    unsigned made,
        made_out; /* tasks, how many at all, and of these when it last was out of every team */
    struct opari_depend *depends; /* see constructs/depend.c; null at first */
    unsigned nest_locks;
    struct opari_nest_lock nest[OPARI_NEST_LOCKS];
    struct opari_task base_task;
    struct opari_parallel base_parallel;
    struct opari_entry *stack, first[OPARI_STACK];
    int type; /* ompt_thread_t */
    struct opari_thread *next, *next_free;
    struct opari_task *returned_tasks
        __attribute__((aligned(64))); /* pushed by other threads: a cache line of its own */
};

/* The attached tools. Callbacks are set before measuring starts or by a tool while it runs; read
 * with acquire. */
struct opari_tool {
    ompt_start_tool_result_t *result;
    ompt_callback_t call[OPARI_EVENTS];
};
static struct {
    unsigned count;
    ompt_callback_t callback[OPARI_EVENTS],
        plain[OPARI_EVENTS]; /* which callback raises the event for all tools: see callbacks.c; null
                                where the trace's recorder is alone */
    struct opari_tool tool[OPARI_TOOLS];
} opari_tools;

/* What the environment says about the user's tool. Strings may be null. */
struct opari_search {
    const char *tool;      /* OMP_TOOL */
    const char *libraries; /* OMP_TOOL_LIBRARIES */
    const char *verbose;   /* OMP_TOOL_VERBOSE_INIT */
    const char *provider;  /* OPARI_OMPT: bridge, native or off */
    const char *dialect;   /* OPARI_OMPT_DIALECT: 5.0, 5.1 or 5.2 */
};

static int opari_dialect = 51; /* whose numbers tools get: 50, 51, 52 */
static unsigned
    opari_own_tools; /* tools of ours come first: the recorder. The rest are the user's */

static struct opari_thread opari_nobody;  /* never ready */
static struct opari_thread opari_silence; /* the same, of threads without a record that are to get
                                             none: see opari_silent_begin */
static OPARI_TLS struct opari_thread
    *opari_self; /* the calling thread's record; null before its first event */
static OPARI_TLS struct opari_thread *opari_here =
    &opari_nobody;               /* the same, but nobody's instead of null */
static int opari_begins_pending; /* what stands before the runtime raises the begin of a parallel
                                    region, once its data are laid out */
static int opari_cancels;        /* some thread has met a cancel directive */
static int opari_trace_only;     /* the trace recorder is the only tool: see direct.c */
static int
    opari_loops_differ; /* loops raise their kind, or their chunks; see opari_update_callbacks */

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

/* Of tool number tool, for an event. */
OPARI_INLINE ompt_callback_t opari_call(unsigned tool, int event)
{
    return OPARI_ACQUIRE(&opari_tools.tool[tool].call[event]);
}

#define OPARI_TOOLS_EACH(tool) \
    for (unsigned tool = 0, tools_ = OPARI_ACQUIRE(&opari_tools.count); tool < tools_; tool++)

/* Ends the target construct of an entry with OPARI_ENTRY_TARGET; set by who makes the first such
 * entry. */
static void (*opari_target_closer)(struct opari_thread *t, struct opari_entry *e, const void *ra);

#endif
