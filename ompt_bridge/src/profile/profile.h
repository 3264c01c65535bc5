/* profile.h: the profile recorder's records. The recorder is a tool: it knows the interface in
 * omp_tools.h and opari_ext.h, and nothing of the bridge that implements it.
 *
 * Only a thread itself writes what it records, with relaxed stores, so that the writer of the
 * profile may read it while the thread runs.
 */
#ifndef OPARI_RECORDER_H
#define OPARI_RECORDER_H

#include "../opari_ext.h"
#include "../platform/platform.h"
#include "../recording/dealt.h"

enum {
    REC_PAGE = 31,         /* nodes in a page */
    REC_REGIONS = 1 << 21, /* regions that can be numbered */
    REC_FRAMES = 64,       /* frames for open regions of a thread before its stack is enlarged */
    REC_DEEPEST = 1 << 20,
    REC_HOLDS = 32,        /* locks that a thread can hold while their time is still recorded */
    REC_TEAM_CLASSES = 16, /* teams of up to 2^15 threads */
    REC_OWN_BARRIER = 1,   /* of a worksharing construct, which may have a barrier at its end */
    REC_JOINS = 8          /* a team's record keeps the ends of so many of its last regions */
};

/* What one thread knows of one call path: a region within the regions around it. All times are
 * ticks of rec_now(). The children of a node form a ring in the order in which they were first met.
 * So a program that takes the same way again finds the next one at once. */
struct rec_node {
    /* The shortest is stored as the complement of the minimum, so that zeroed memory is a valid
     * start. */
    uint64_t count, incl, excl, shortest;
    uint64_t longest, body, barrier, wait;
    uint64_t hold, active; /* active: instances that are open on this thread */
    uintptr_t key; /* the region's number; for an implicit task on another thread, the encountering
                      thread's node */
    struct rec_node *child, *next; /* the child that was met last; the parent's next child */
    /* The node itself. Where a region is inside itself it is the outer node, to which everything
     * counts. */
    struct rec_node *target;
    struct rec_node *parent, *origin; /* origin: for an implicit task, the encountering thread's
                                         node, which has the same path */
    size_t region;                    /* the region's number */
    struct rec_device *device;        /* of a target region, see target.c; else null */
    struct rec_chunks *chunks;        /* of a loop that had chunks, see dealt.c; else null */
};

/* Nodes of a thread. The owner adds them, and the writer of the profile reads them. */
struct rec_page {
    struct rec_page *next;
    size_t used;
    struct rec_node node[REC_PAGE];
};

/* What a frame of the recorder's stack stands for. */
enum rec_type {
    REC_BASE,
    REC_PARALLEL, /* encountering thread, fork to join */
    REC_TEAM,     /* implicit task */
    REC_TASK,
    REC_WORK,
    REC_BODY, /* a part of the frame below, of the same region */
    REC_REGION,
    REC_WAIT,  /* barrier, taskwait, the end of a taskgroup */
    REC_GROUP, /* taskgroup */
    REC_MUTEX, /* critical, ordered: from acquire to release */
    REC_LOCK   /* lock: from acquire to acquired */
};

struct rec_frame {
    struct rec_node *node;
    uint64_t start, child; /* child: the time of other regions inside */
    uint64_t own;          /* the time of waiting at the region's own barriers inside */
    uint64_t mid;  /* mutex: when it was acquired; team: when the thread arrived at the end, else 0;
                      a single: 1 */
    uint64_t busy; /* team: the time of tasks that the thread executed after its arrival */
    struct rec_slot *slot;  /* team */
    struct rec_team *team;  /* parallel, team */
    unsigned instance;      /* team: the value of its record's instance at the begin */
    short type, detail;     /* detail: ompt_sync_region_t, opari_region_class_t */
    int master;             /* team: this is the encountering thread */
    struct rec_node *home;  /* team: the value of rec_thread.home before */
    struct rec_node *waits; /* team: what the waiting at its end belongs to, see teams.c */
};

/* What a thread finds that has no part in the team's later regions: the end of the last region that
 * it was in. */
struct rec_slot {
    uint64_t joined;
    unsigned told; /* that region's instance plus one */
};

/* An instance of a parallel region. Only the encountering thread writes it. The team's threads read
 * the first line when they begin, and of the second line one word when they have ended. */
struct rec_team {
    struct rec_team *next;
    struct rec_slot *slots;
    unsigned size_class;     /* room for 2^size_class threads */
    unsigned size;           /* threads of the current or last region */
    unsigned instance;       /* how many regions have ended with this record */
    struct rec_node *origin; /* the encountering thread's node */
    uint64_t joins[REC_JOINS] __attribute__((aligned(64))); /* the ends of instances */
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
    struct rec_node *home;  /* the node of the parallel region that the thread is in: its tasks
                               belong there, on whichever thread they are executed */
    /* The root. It also stands for events of unknown regions. It is never written out. */
    struct rec_node unknown;
    uint64_t last; /* time of the last event */
    unsigned holds, number;
    uint64_t lost;
    struct rec_team *free_teams[REC_TEAM_CLASSES];
    struct rec_hold hold[REC_HOLDS];
    struct rec_frame first[REC_FRAMES];
    struct rec_thread *next, *next_free;
};

static OPARI_TLS struct rec_thread *rec_self;

/* Relaxed stores suffice: only the owner writes, and only the writer of the profile reads it
 * too. */
#define REC_ADD(x, v) OPARI_STORE(&(x), (x) + (v))

#endif
