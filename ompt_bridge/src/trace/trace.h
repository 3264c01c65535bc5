/* trace.h: the trace recorder's records. Like the profile recorder it is a tool. It knows the
 * interface in omp_tools.h and opari_ext.h, and nothing of the bridge that implements it.
 *
 * A thread writes 8 bytes per event into a chunk of its own. The chunk is the first 64 KiB of the
 * thread's file, mapped shared. So the file holds everything recorded, whatever ends the process.
 * When a chunk is full its thread appends it to the file and reuses it.
 *
 * No file stays open, because the program may close descriptors that it did not open. Package
 * recording says what opari makes of the files.
 */
#ifndef OPARI_TRACER_H
#define OPARI_TRACER_H

#include "../opari_ext.h"
#include "../platform/platform.h"
#include "../recording/dealt.h"
#include "../recording/left_out.h"

enum {
    TRC_CHUNK = 64 * 1024, /* bytes; more than a page of any system */
    TRC_HEADER = 512,
    TRC_WORDS = (TRC_CHUNK - TRC_HEADER) / 8,
    TRC_STEP = 1024, /* records between two readings of both clocks */
    TRC_JOINS = 32,  /* a thread keeps the ends of so many of its last parallel regions; less than
                        half the alignment of a chunk */
    TRC_TEAM_KNOWN = TRC_JOINS, /* beside a fork's number: the trace has a record of the team's
                                   number */
    TRC_META = 4096,            /* bytes before the rows in the process's file */
    TRC_IDENTITY = 136,
    TRC_PROGRAM = TRC_META - 96 - REC_LEFT_OUT - TRC_IDENTITY,
    TRC_ID_BITS = 20, /* bits of the region; TRC_OP_BITS lie below it, the low bits of the time
                         above it */
    TRC_OP_BITS = 6,  /* twice an enum trc_what, plus one for a leave */
    TRC_SHIFT = TRC_ID_BITS + TRC_OP_BITS
};

#define TRC_IDS (((uint64_t)1 << TRC_ID_BITS) - 1)
#define TRC_NEAR ((uint64_t)1 << (63 - TRC_SHIFT)) /* ticks before and after */
#define TRC_MAGIC \
    UINT64_C(0x3243525441504f) /* "OPATRC2" in the byte order of a little-endian machine */

/* What a record enters or leaves. A record's operation is twice this value, plus one for a leave.
 * There are at most 32 values. Package recording has the same list (kinds.go), and a test compares
 * the two; docs/explanation/recording.md says how to add a value. */
enum trc_what {
    TRC_PAUSE,    /* always with 1: the bits above the operation hold the entire time, and later
                     records are near to it */
    TRC_THREAD,   /* with ompt_thread_t instead of a region; before a begin stands TRC_DATA with the
                     thread's number in the kernel */
    TRC_PARALLEL, /* encountering thread, fork to join */
    TRC_IMPLICIT, /* implicit task */
    TRC_TASK,     /* explicit task */
    TRC_WORK,
    TRC_BODY, /* the block of a single */
    TRC_REGION,
    TRC_WAIT, /* a region that only waits: atomic */
    TRC_BARRIER,
    TRC_TASKWAIT,
    TRC_GROUP,      /* taskgroup */
    TRC_GROUP_WAIT, /* the wait at its end */
    TRC_MUTEX,      /* critical, ordered: from acquire to release */
    TRC_HELD,       /* it has been acquired; never left */
    TRC_LOCK,       /* a lock: from acquire to acquired */
    TRC_CREATE,     /* a task is created */
    TRC_OWN,        /* with the number of a lock instead of a region: acquired and released */
    TRC_TEAM,       /* with the number of the team of the implicit task that is entered next; never
                       left */
    TRC_DEALT,      /* a loop's chunks have been handed out, see trc_dealt; never left */
    TRC_TRY,        /* a lock is about to be tested; never left */
    /* What pomp_message_1 records, with the number of a communicator; never left. The first three
     * are about the request that TRC_DATA before them names. */
    TRC_REQUESTED = 23,
    TRC_COMPLETE,
    TRC_CANCELLED,
    TRC_GOT,
    TRC_PUT,
    TRC_COLLECTIVE,
    TRC_RECEIVED,
    TRC_SENT,
    TRC_DATA /* no time: a word that belongs to the next of these records, or to the next
                record TRC_THREAD, TRC_DEALT, TRC_CREATE or TRC_TASK */
};

/* A thread, and the contents of its chunk. Package recording reads the fields up to joins and the
 * records. The thread stores used after the record. The sequence identifies a chunk that has just
 * been appended and still occupies the first place of the file. */
struct trc_thread {
    uint64_t magic;
    uint64_t sequence;  /* chunks before this one, including lost ones */
    uint64_t first;     /* ticks; the times of the records up to the first pause are near to it */
    uint64_t ticks, ns; /* a reading of both clocks within the chunk */
    uint64_t used;      /* records */
    uint64_t base;      /* first, or the time of the last pause */
    uint64_t self;      /* this record's address; never 0 */
    uint64_t dock;      /* while the thread waits at the end of a parallel region: the fork's
                           address, TRC_TEAM_KNOWN and number; else 0 */
    uint64_t limit;     /* when used reaches it, trc_full runs */
    uint64_t deadline;  /* the last time that is near to base */
    const struct opari_regions *regions;
    struct trc_thread *next;
    /* The ends of this thread's parallel regions, by the number of their fork. */
    uint64_t joins[TRC_JOINS] __attribute__((aligned(128)));
    struct trc_thread *next_free;
    unsigned number;
    unsigned process; /* trc.process at the time its file was made; 0: it has none */
    unsigned written; /* chunks in the file */
    unsigned forks;
    unsigned made;                                          /* tasks that have got numbers */
    int locking;                                            /* it waits for a lock */
    int dead;                                               /* it has no file */
    uint64_t record[] __attribute__((aligned(TRC_HEADER))); /* TRC_WORDS */
};
_Static_assert(sizeof(struct trc_thread) == TRC_HEADER, "a chunk's header");

/* Which process this is, see identity.c. An unknown value is 0 or "". */
struct trc_identity {
    uint64_t started; /* clock ticks of the system since the boot */
    uint64_t pid_namespace, time_namespace;
    char boot[40], host[72];
};
_Static_assert(sizeof(struct trc_identity) == TRC_IDENTITY, "as package recording reads it");

/* The first page of the process's file, also mapped shared. The regions follow it, one line of JSON
 * each. */
struct trc_meta {
    uint64_t magic, pid;
    uint64_t tsc; /* ticks are the processor's; 0: they are ns */
    /* Readings of both clocks. The end is 0 unless the process has ended in order. */
    uint64_t start_ticks, start_ns, end_ticks, end_ns;
    uint64_t lost;  /* records */
    uint64_t error; /* errno of the first failure */
    uint64_t threads;
    uint64_t generation; /* 1; a forked child has its parent's plus one */
    uint64_t cost;       /* ticks of REC_BATCH events; 0: unknown */
    char program[TRC_PROGRAM];
    struct rec_left_out left_out;
    struct trc_identity identity; /* at the end of the page */
};
_Static_assert(sizeof(struct trc_meta) == TRC_META, "a page");

static OPARI_TLS struct trc_thread *trc_self;

/* The same record, or trc_none where an event takes more than a look at the processor's clock. The
 * latter is never in an event. */
static struct opari_regions trc_no_regions;
static union {
    struct trc_thread thread;
    uint64_t room[TRC_HEADER / 8 + 1]; /* for a record that is never written: a compiler that sees
                                          no other thread warns otherwise */
} trc_none = {{.regions = &trc_no_regions, .number = 1}};
static OPARI_TLS struct trc_thread *trc_fast = &trc_none.thread;

#define TRC_AT(what, at) ((unsigned)(what) << 1 | ((at) != ompt_scope_begin))

/* Returns the data of a parallel region whose team needs no record of its own, because the initial
 * thread forks it outside every other region. The data hold the forking thread's record and the
 * fork's number. 0 means that trc_on_parallel_begin must be called. */
OPARI_INLINE uint64_t trc_team(const ompt_data_t *task)
{
    struct trc_thread *r = trc_fast;
    return OPARI_LIKELY((task->value | r->number) == 0)
               ? (uint64_t)(uintptr_t)r | r->forks++ % TRC_JOINS
               : 0;
}

/* A task is recorded if the task that creates it is. See trc_on_task_create_numbered. */
OPARI_INLINE void trc_task_made(const ompt_data_t *task, ompt_data_t *made)
{
    made->value = task->value != 0;
}

#endif
