/* opari_ext.h: what the bridge offers a tool beyond OpenMP's tool interface.
 *
 * The extension is one entry point, which lookup("opari_get_region") returns, and four more events
 * for ompt_set_callback. A tool that does not find the entry point runs under a native runtime and
 * gets no names of regions.
 */
#ifndef OPARI_EXT_H
#define OPARI_EXT_H

#include "omp_tools.h"

#ifndef POMP_DESCRIPTOR_1
#define POMP_DESCRIPTOR_1 1
/* The context descriptor of a region, ABI 1: static in the instrumented unit. pomp_lib.h says what
 * the fields mean. */
struct ompregdescr {
    const char *name, *sub_name;
    int num_sections;
    const char *file_name;
    int begin_first_line, begin_last_line, end_first_line, end_last_line;
    /* [0] the profile's number of the region; [1] the bridge's wait id of a critical; [2] the
     * instance of a parallel region in Fortran; [3] the trace's number. */
    void *data[4];
    struct ompregdescr *next;
    const char *directive;
    unsigned kind, facts;
    int schedule, hint;
    struct ompregdescr *outer;
};
#endif

/* Values of opari_regions.forced: the bridge ends a region that the program has left open. */
enum {
    opari_left_before = 1, /* the thread left the region at some time after its last event: cancel,
                              longjmp, an exception */
    opari_leaves_now = 2   /* the process or the thread ends, or pomp_off(); other threads may still
                              be in a parallel region that ends so */
};

/* What a thread is in. The address belongs to the thread and is valid from its thread_begin to its
 * thread_end, so a tool asks once per thread. */
struct opari_regions {
    /* The region of the event that is being reported; null where it has no known region. It is
     * valid only within a callback: outside every event it is no region's address. */
    struct ompregdescr *event;
    int forced; /* not 0: no call of the program raises this end, see below */
    /* This event belongs to a part of the construct: the end of its work before its own barrier, or
     * that barrier. It may also be a taskloop's group, or the parallel region within a composite
     * construct. A tool that times regions ignores it: the region's end comes later, by the same
     * event or as a region's end of class opari_region_construct. */
    int part;
    /* This begin of a wait has no end at the right time: the rest of the implicit task is waiting
     * at the end of its region. The end is reported with the thread's next event. */
    int late;
    /* This end of a target task belongs to a construct that also had a region where the thread
     * encountered it. */
    int counted;
    /* At the end of an operation on data: its time in ns, where it was over before its begin was
     * reported; else 0. */
    uint64_t took;
};
typedef const struct opari_regions *(*opari_get_region_t)(void);

/* How a region for which OpenMP has no events spends its time. */
typedef enum opari_region_class_t {
    opari_region_work = 1, /* user code, section, target, teams, ... */
    opari_region_wait = 2, /* it only waits: atomic, ordered depend */
    /* Ends only: the end of a worksharing construct whose work has ended before its barrier. */
    opari_region_construct = 3,
    opari_region_group = 4 /* a taskgroup, which is also a sync region: a tool that wants only these
                              need not get every barrier's events */
} opari_region_class_t;

/* Event numbers beyond ompt_callbacks_t. */
enum {
    opari_callback_region = 1001, /* a region without OpenMP events begins or ends */
    /* The n descriptors from first on are about to vanish (dlclose, exit). */
    opari_callback_unload = 1002,
    opari_callback_control = 1003, /* see opari_control_t */
    /* The construct that creates a task is over. It is the task of the latest task_create, and is
     * now queued or, if it is undeferred, executed. */
    opari_callback_created = 1004
};

typedef void (*opari_callback_region_t)(ompt_scope_endpoint_t endpoint,
                                        opari_region_class_t region_class,
                                        ompt_data_t *parallel_data, ompt_data_t *task_data,
                                        const void *user, const void *codeptr_ra);
typedef void (*opari_callback_created_t)(ompt_data_t *encountering_task_data);
typedef void (*opari_callback_unload_t)(struct ompregdescr *first, int n);

typedef enum opari_control_t {
    opari_control_prepare = 1, /* fork() is about to copy the process: the tool must hold still */
    opari_control_parent = 2,  /* in the parent, after fork() */
    /* In the child: the other threads are gone, and the tool must forget what it has recorded. */
    opari_control_child = 3,
    opari_control_flush = 4 /* pomp_finalize(): the tool must write what it has */
} opari_control_t;
typedef void (*opari_callback_control_t)(opari_control_t what);

#endif
