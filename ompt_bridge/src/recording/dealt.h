/* dealt.h: what handing out the chunks of a loop has cost a thread. */
#ifndef OPARI_REC_DEALT_H
#define OPARI_REC_DEALT_H

#include <stdint.h>

enum { REC_DEALT_OWN = 254 }; /* chunks whose measuring takes rec_dealt.own */

/* The part of one thread in one execution of a loop. Times are ticks of rec_now(). */
struct rec_dealt {
    uint32_t chunks;
    uint32_t own; /* what counting REC_DEALT_OWN chunks takes */
    uint64_t iterations;
    uint64_t ticks; /* in the runtime */
    /* Iterations of the loop before its last chunk, and in that; 0: that was no last one. */
    uint64_t before, last;
};

#endif
