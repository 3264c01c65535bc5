/* event_file.h: the format of the file that tool_log.c writes and package eventlog reads. All
 * numbers have the machine's byte order.
 *
 * The file begins with a head, in a block of LOG_HEAD bytes. Chunks follow it without a gap. Each
 * chunk belongs to one thread, begins with a chunk head, and holds records of 64 bytes in the order
 * of that thread's time. The file is mapped while it is written, so it holds everything recorded,
 * however the process ends.
 */
#ifndef OPARI_EVENT_FILE_H
#define OPARI_EVENT_FILE_H

#include <stdint.h>

#define LOG_HEAD 4096u
#define LOG_STEP 16384u
#define LOG_MAGIC 0x31474f4c54504d4fULL /* "OMPTLOG1" in memory */

struct log_head {
    uint64_t magic;
    uint64_t start; /* ns of CLOCK_MONOTONIC */
    uint64_t lost;  /* events that had no room on the disk */
    uint32_t pid;
    uint32_t omp_version; /* the argument of ompt_start_tool */
    uint32_t finalized;   /* 1 once the runtime has finalized the tool */
    uint32_t reserved;
    char runtime[128];
    char program[256]; /* path of the executable */
};

struct log_chunk {
    uint32_t size; /* bytes, with this head; a multiple of LOG_STEP. 0 if the process was killed
                      before it was written */
    uint32_t used; /* bytes, with this head */
    uint32_t thread;
    uint32_t tid; /* the thread's number in the system */
    uint8_t reserved[48];
};

/* The meaning of a field depends on the event; tool_log.c fills them. The ids that the tool sets
 * identify tasks and regions; 0 is none. */
struct log_record {
    uint64_t time;  /* ns of CLOCK_MONOTONIC */
    uint16_t event; /* ompt_callbacks_t, or LOG_TEXT */
    uint16_t endpoint;
    int32_t kind;
    uint64_t parallel;
    uint64_t task;
    uint64_t other;
    uint64_t value;
    uint64_t code; /* codeptr_ra */
    uint32_t flags;
    uint32_t extra;
};

/* The record continues the text of the record before it, in its bytes 16 to 63. */
#define LOG_TEXT 1000u
#define LOG_TEXT_BYTES 48u

/* The record has further numbers of the record before it: parallel, task, other, value, code. */
#define LOG_MORE 1001u

#endif
