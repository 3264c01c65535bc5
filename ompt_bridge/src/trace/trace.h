/* trace.h: the trace recorder's records. Like the profile's recorder it is a tool: it knows the
 * interface in omp_tools.h and opari_ext.h, and nothing of the bridge behind it.
 *
 * A thread writes 8 bytes per event into a chunk of its own. The chunk is the first 64 KiB of the
 * thread's file, mapped shared: whatever ends the process, what was recorded is in the file. A full
 * chunk is appended to the file by its thread and used again. No file stays open: the program may
 * close descriptors that it did not open. What opari makes of the files: package recording.
 */
#ifndef OPARI_TRACER_H
#define OPARI_TRACER_H

#include "../opari_ext.h"
#include "../platform/platform.h"
#include "../recording/left_out.h"

enum {
    TRC_CHUNK = 64 * 1024, /* bytes; more than a page of any system */
    TRC_HEADER = 512,
    TRC_WORDS = (TRC_CHUNK - TRC_HEADER) / 8,
    TRC_STEP = 1024, /* records between two readings of both clocks */
    TRC_JOINS = 32,  /* parallel regions whose end a thread can still be asked for; less than half
                        the alignment of a chunk */
    TRC_TEAM_KNOWN = TRC_JOINS, /* with a fork's number: the team's number is in the trace */
    TRC_META = 4096,            /* bytes in front of the rows in the process's file */
    TRC_IDENTITY = 136,
    TRC_PROGRAM = TRC_META - 96 - REC_LEFT_OUT - TRC_IDENTITY,
    TRC_ID_BITS = 20, /* of the region; below it TRC_OP_BITS, above it the low bits of the time */
    TRC_OP_BITS = 6,  /* twice what, and one more */
    TRC_SHIFT = TRC_ID_BITS + TRC_OP_BITS
};

#define TRC_IDS (((uint64_t)1 << TRC_ID_BITS) - 1)
#define TRC_NEAR ((uint64_t)1 << (63 - TRC_SHIFT)) /* ticks, to either side */
#define TRC_MAGIC \
    UINT64_C(0x3243525441504f) /* "OPATRC2" in the order of the bytes of a small-endian machine */

/* What is entered; a record's operation is twice that, and one more where it is left. There are at
 * most 32. Package recording has the same list (kinds.go), which a test holds against this one;
 * docs/explanation/recording.md says how one is added. */
enum trc_what {
    TRC_PAUSE,    /* 1: above the operation all of the time; what follows is near to that */
    TRC_THREAD,   /* with ompt_thread_t instead of a region */
    TRC_PARALLEL, /* encountering thread, fork to join */
    TRC_IMPLICIT, /* implicit task */
    TRC_TASK,     /* explicit task */
    TRC_WORK,
    TRC_BODY, /* the block of a single */
    TRC_REGION,
    TRC_WAIT, /* a region that is all waiting: atomic */
    TRC_BARRIER,
    TRC_TASKWAIT,
    TRC_GROUP,      /* taskgroup */
    TRC_GROUP_WAIT, /* the wait at its end */
    TRC_MUTEX,      /* critical, ordered: from acquire to release */
    TRC_HELD,       /* it is acquired; never left */
    TRC_LOCK,       /* a lock: from acquire to acquired */
    TRC_CREATE,     /* a task is created */
    TRC_OWN,        /* with the number of a lock instead of a region: acquired, and released */
    TRC_TEAM, /* with the number of a team: that of the implicit task that is entered next; never
                 left */
    /* What pomp_message_1 records. With the number of a communicator; never left. */
    TRC_GOT = 26,
    TRC_PUT,
    TRC_COLLECTIVE,
    TRC_RECEIVED,
    TRC_SENT,
    TRC_DATA /* no time: a word that belongs to the next of these */
};

/* A thread, and what its chunk holds. Package recording reads what stands up to joins, and the
 * records; used is stored behind the record. A chunk that was appended stands there, so it is known
 * by its sequence when it is met again in front. */
struct trc_thread {
    uint64_t magic;
    uint64_t sequence; /* chunks before this one; some are missing where they were lost */
    uint64_t first; /* ticks; the times of the records are near to that, until there is a pause */
    uint64_t ticks, ns; /* both clocks, at a time in the chunk */
    uint64_t used;      /* records */
    uint64_t base;      /* first, or the time of the last pause */
    uint64_t self;      /* this record's address; not 0 */
    uint64_t dock;      /* the thread waits at the end of a parallel region: the fork's address,
                           TRC_TEAM_KNOWN and number; else 0 */
    uint64_t limit;     /* with so many records there is something else to do */
    uint64_t deadline;  /* a later time is not near to base */
    const struct opari_regions *regions;
    struct trc_thread *next;
    uint64_t joins[TRC_JOINS] __attribute__((
        aligned(128))); /* ends of this thread's parallel regions, by the number of their fork */
    struct trc_thread *next_free;
    unsigned number;
    unsigned process; /* trc.process when its file was made; 0: it has none */
    unsigned written; /* chunks in the file */
    unsigned forks;
    int locking;                                            /* waits for a lock */
    int dead;                                               /* there is no file */
    uint64_t record[] __attribute__((aligned(TRC_HEADER))); /* TRC_WORDS */
};
_Static_assert(sizeof(struct trc_thread) == TRC_HEADER, "a chunk's header");

/* Which process it is: identity.c. What is not known is 0 or "". */
struct trc_identity {
    uint64_t started; /* ticks of the system, since the boot */
    uint64_t pid_namespace, time_namespace;
    char boot[40], host[72];
};
_Static_assert(sizeof(struct trc_identity) == TRC_IDENTITY, "as package recording reads it");

/* The first page of the process's file, mapped shared as well. Behind it stand the regions, a line
 * of JSON each. */
struct trc_meta {
    uint64_t magic, pid;
    uint64_t tsc; /* ticks are the processor's, else ns */
    uint64_t start_ticks, start_ns, end_ticks,
        end_ns;     /* both clocks; the end is 0 unless the process has ended in order */
    uint64_t lost;  /* records */
    uint64_t error; /* errno of the first failure */
    uint64_t threads;
    uint64_t generation; /* 1; forked children count on */
    uint64_t cost;       /* ticks of REC_BATCH events, where it is known; else 0 */
    char program[TRC_PROGRAM];
    struct rec_left_out left_out;
    struct trc_identity identity; /* at the end of the page */
};
_Static_assert(sizeof(struct trc_meta) == TRC_META, "a page");

static OPARI_TLS struct trc_thread *trc_self;

/* The same; where an event takes more than a look at the processor's clock, one that is in no
 * event. */
static struct opari_regions trc_no_regions;
static union {
    struct trc_thread thread;
    uint64_t room[TRC_HEADER / 8 + 1]; /* for a record that is never written: a compiler that knows
                                          no other thread warns of it */
} trc_none = {{.regions = &trc_no_regions, .number = 1}};
static OPARI_TLS struct trc_thread *trc_fast = &trc_none.thread;

#define TRC_AT(what, at) ((unsigned)(what) << 1 | ((at) != ompt_scope_begin))

/* What the data of a parallel region are where the trace need not say which team it is: the initial
 * thread forks it, not nested. They say whose fork it is, and its number. 0: trc_on_parallel_begin
 * is to be called. */
OPARI_INLINE uint64_t trc_team(const ompt_data_t *task)
{
    struct trc_thread *r = trc_fast;
    return OPARI_LIKELY((task->value | r->number) == 0)
               ? (uint64_t)(uintptr_t)r | r->forks++ % TRC_JOINS
               : 0;
}

/* A task is recorded where the one that makes it is. */
OPARI_INLINE void trc_task_made(const ompt_data_t *task, ompt_data_t *made)
{
    made->value = task->value != 0;
}

#endif
