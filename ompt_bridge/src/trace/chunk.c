/* chunk.c: the times of the records in a thread's chunk. */
#include "trace.h"

static struct {
    /* Ticks. A construct that takes less time and has nothing inside is dropped; 0: none is. */
    uint64_t minimum;
    unsigned process; /* 1; a forked child has its parent's plus one */
    int numbers;      /* tasks get numbers, which are recorded */
    opari_get_region_t get_region;
} trc = {0, 1, 0, NULL};

/* Returns the time of record number at, or that of the chunk's begin. */
static OPARI_NOINLINE uint64_t trc_time(const struct trc_thread *r, uint64_t at)
{
    while (at < r->used && (r->record[at] >> 1 & ((1u << (TRC_OP_BITS - 1)) - 1)) == TRC_DATA)
        at--;
    if (at >= r->used)
        return r->first;
    uint64_t word = r->record[at];
    if ((word & ((1u << TRC_OP_BITS) - 1)) == (TRC_PAUSE << 1 | 1))
        return word >> TRC_OP_BITS;
    return r->base +
           (uint64_t)((int64_t)(((word >> TRC_SHIFT) - r->base) << TRC_SHIFT) >> TRC_SHIFT);
}

OPARI_INLINE uint64_t trc_last(const struct trc_thread *r) { return trc_time(r, r->used - 1); }

OPARI_INLINE void trc_rebase(struct trc_thread *r, uint64_t now)
{
    r->base = now;
    r->deadline = now + TRC_NEAR - 1;
}
