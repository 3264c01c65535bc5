/* profile.h: the profile recorder's records. It is a tool: it knows the interface in omp_tools.h
 * and opari_ext.h, and nothing of the bridge behind it.
 *
 * What a thread records is written by that thread alone, with relaxed stores, so that the writer
 * may read it while the thread runs. The one exception is `joined`: the time a thread waited in a
 * region's last barrier is known to the encountering thread only.
 */
#ifndef OPARI_RECORDER_H
#define OPARI_RECORDER_H

#include "../opari_ext.h"
#include "../platform/platform.h"

enum {
    REC_PAGE = 31,         /* nodes in a page */
    REC_REGIONS = 1 << 21, /* regions that can be numbered */
    REC_FRAMES = 64,       /* open regions of a thread before its stack is enlarged */
    REC_DEEPEST = 1 << 20,
    REC_HOLDS = 32,       /* locks that a thread can hold with their time known */
    REC_TEAM_CLASSES = 16 /* teams of up to 2^15 threads */
};

/* What one thread knows of one call path: a region in those around it. All times are ticks of
 * rec_now(). The children of a node are a ring in the order in which they were first met: a program
 * that goes the same way again finds the next one at once. */
struct rec_node {
    uint64_t count, incl, excl,
        shortest; /* shortest: complement of the minimum, so that zeroed memory is right */
    uint64_t longest, body, barrier, wait;
    uint64_t hold, joined, active; /* active: instances open on this thread */
    uintptr_t key; /* the region's number; of an implicit task on another thread the encountering
                      thread's node */
    struct rec_node *child, *next; /* the child that was met last; the next child of the parent */
    struct rec_node *
        target; /* itself; where a region is inside of itself, the outer one, which counts for it */
    struct rec_node *parent, *origin; /* origin: of an implicit task, the encountering thread's
                                         node, which has the same path */
    size_t region;                    /* the region's number */
    struct rec_device *device;        /* of a target region: see target.c; else null */
};

/* Nodes of a thread; the owner adds, the writer reads. */
struct rec_page {
    struct rec_page *next;
    size_t used;
    struct rec_node node[REC_PAGE];
};

/* What a frame of the recorder's stack is. */
enum rec_type {
    REC_BASE,
    REC_PARALLEL, /* encountering thread, fork to join */
    REC_TEAM,     /* implicit task */
    REC_TASK,
    REC_WORK,
    REC_BODY, /* part of the frame below, of the same region */
    REC_REGION,
    REC_WAIT,  /* barrier, taskwait, taskgroup's end */
    REC_GROUP, /* taskgroup */
    REC_MUTEX, /* critical, ordered: from acquire to release */
    REC_LOCK   /* lock: from acquire to acquired */
};

struct rec_frame {
    struct rec_node *node;
    uint64_t start, child; /* child: time of other regions inside */
    uint64_t own;          /* time of waiting at the region's own barriers inside */
    uint64_t mid; /* mutex: when it was acquired; team: when it arrived at the end, else 0; a
                     single: 1 */
    struct rec_slot *slot; /* team */
    struct rec_team *team; /* parallel, team */
    unsigned instance;     /* team: which of the instances that the team's record stood for */
    short type, detail;    /* detail: ompt_sync_region_t, opari_region_class_t */
    int master;            /* team: on the encountering thread */
    struct rec_node *home; /* team: rec_thread.home before */
};

/* What a thread leaves for the encountering thread at the end of a region. A cache line each. */
struct rec_slot {
    struct rec_node *node;
    uint64_t arrival; /* 0: not arrived. Stored last, with release */
    uint64_t busy;    /* executing tasks after that */
    uint64_t last;    /* end of the last one, or the arrival */
    uint64_t unused[4];
};

/* A parallel region instance. */
struct rec_team {
    struct rec_team *next;
    struct rec_slot *slots;
    unsigned size_class;     /* room for 2^size_class threads */
    unsigned size;           /* threads; set by the encountering thread */
    unsigned instance;       /* how many regions have ended with this record */
    struct rec_node *origin; /* the encountering thread's node */
    int docked;              /* the encountering thread has arrived without an explicit barrier */
};

struct rec_hold {
    ompt_wait_id_t lock;
    uint64_t since;
    struct rec_node *node;
};

struct rec_thread {
    const struct opari_regions *regions;
    struct rec_frame *top, *limit, *stack;
    struct rec_page *pages; /* newest first */
    struct rec_node *home;  /* of the parallel region that the thread is in: tasks belong there,
                               wherever they are executed */
    struct rec_node
        unknown;   /* the root; it stands for events of no known region too. Never written out */
    uint64_t last; /* time of the last event */
    unsigned holds, number;
    uint64_t lost;
    struct rec_team *free_teams[REC_TEAM_CLASSES];
    struct rec_hold hold[REC_HOLDS];
    struct rec_frame first[REC_FRAMES];
    struct rec_thread *next, *next_free;
};

static OPARI_TLS struct rec_thread *rec_self;

/* Relaxed: only the owner writes, only the writer of the profile reads besides. */
#define REC_ADD(x, v) OPARI_STORE(&(x), (x) + (v))

#endif
