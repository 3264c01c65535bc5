/* opari_ext.h: what the bridge tells a tool beyond OpenMP's tool interface.
 *
 * The extension is one entry point, reached by lookup("opari_get_region"), and four more events for
 * ompt_set_callback. A tool that finds no such entry point runs under a native runtime and does
 * without the names of regions.
 */
#ifndef OPARI_EXT_H
#define OPARI_EXT_H

#include "omp_tools.h"

#ifndef POMP_DESCRIPTOR_1
#define POMP_DESCRIPTOR_1 1
/* The context descriptor of a region, ABI 1: static in the instrumented unit. pomp_lib.h tells what
 * the fields mean. */
struct ompregdescr {
    const char *name, *sub_name;
    int num_sections;
    const char *file_name;
    int begin_first_line, begin_last_line, end_first_line, end_last_line;
    void
        *data[4]; /* [0] the profile's number of the region; [1] the bridge's wait id of a critical;
                     [2] the instance of a parallel region in Fortran; [3] the trace's number */
    struct ompregdescr *next;
    const char *directive;
    unsigned kind, facts;
    int schedule, hint;
    struct ompregdescr *outer;
};
#endif

/* Values of opari_regions.forced: the bridge ends what the program did not. */
enum {
    opari_left_before = 1, /* the thread left the region at some time after its last event: cancel,
                              longjmp, an exception */
    opari_leaves_now = 2 /* the process or the thread ends, or pomp_off(). Others may still be in a
                            parallel region that ends so */
};

/* What a thread is in. The address is the thread's own: it is valid from its thread_begin to its
 * thread_end, so a tool asks once per thread. */
struct opari_regions {
    /* The region of the event that is being reported, or null where it has no known region. It is
     * valid within a callback only: outside of all events it is no region's address. */
    struct ompregdescr *event;
    int forced; /* not 0: no call of the program's is behind this end, see below */
    int part;   /* this event tells a part of the construct: the end of its work before its own
                   barrier, or that barrier, or a taskloop's group, or the parallel region within a
                   composite one. What is timed by regions leaves it out: the region's end comes
                   later, by the same event or as a region's end of class opari_region_construct */
    int late;   /* this begin of a wait has no end in due time: what is left of the implicit task is
                   waiting at the end of its region, and the end is reported with the thread's next
                   event */
    int counted; /* this end of a target task is of a construct that had a region where it was met,
                    too */
    uint64_t took; /* this end of an operation on data: its time in ns, where it was over before its
                      begin was reported; else 0 */
};
typedef const struct opari_regions *(*opari_get_region_t)(void);

/* How a region that OpenMP has no events for spends its time. */
typedef enum opari_region_class_t {
    opari_region_work = 1, /* user code, section, target, teams, ... */
    opari_region_wait = 2, /* all of it is waiting: atomic, ordered depend */
    opari_region_construct =
        3, /* ends only: a worksharing construct ends whose work has ended before its barrier */
    opari_region_group = 4 /* a taskgroup, which is a sync region too: who wants no more of those
                              need not be told of every barrier's */
} opari_region_class_t;

/* Numbers beyond ompt_callbacks_t. */
enum {
    opari_callback_region = 1001, /* a region without OpenMP events begins or ends */
    opari_callback_unload =
        1002, /* n descriptors from first on are about to vanish (dlclose, exit) */
    opari_callback_control = 1003, /* see opari_control_t */
    opari_callback_created =
        1004 /* the construct that creates a task is over: the task of the task_create before, which
                is now queued or, where it is undeferred, executed */
};

typedef void (*opari_callback_region_t)(ompt_scope_endpoint_t endpoint,
                                        opari_region_class_t region_class,
                                        ompt_data_t *parallel_data, ompt_data_t *task_data,
                                        const void *user, const void *codeptr_ra);
typedef void (*opari_callback_created_t)(ompt_data_t *encountering_task_data);
typedef void (*opari_callback_unload_t)(struct ompregdescr *first, int n);

typedef enum opari_control_t {
    opari_control_prepare = 1, /* fork() is about to copy the process: hold still */
    opari_control_parent = 2,  /* in the parent, after fork() */
    opari_control_child =
        3,                  /* in the child: the other threads are gone, forget what was recorded */
    opari_control_flush = 4 /* pomp_finalize(): write what there is */
} opari_control_t;
typedef void (*opari_callback_control_t)(opari_control_t what);

#endif
