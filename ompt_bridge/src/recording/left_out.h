/* left_out.h: what a recording leaves out, so that its time counts for what is around it. That is
 * what the rules of the trace's filter drop, the times when measuring was off, and what the
 * instrumentation left alone. Traces and profiles carry it, and reports name it. */
#ifndef OPARI_REC_LEFT_OUT_H
#define OPARI_REC_LEFT_OUT_H

#include <stdint.h>

enum { REC_LEFT_OUT = 512, REC_OPTIONS = REC_LEFT_OUT - 64 };

/* Package recording reads it at the end of a trace's first page, so every file of this format has
 * the same layout. */
struct rec_left_out {
    uint64_t rules, minimum;   /* of the filter: how many rules, and a time in ns */
    uint64_t filter;           /* a number that distinguishes filters; 0: there is no filter */
    uint64_t regions;          /* how many regions the rules dropped */
    uint64_t off, off_ns;      /* how often measuring was off, and how long, up to off_since */
    uint64_t off_since;        /* on the monotonic clock; 0: measuring is on */
    char options[REC_OPTIONS]; /* of the instrumentation, each followed by a line end */
    uint64_t functions;        /* how many were switched off; the file has a line for each */
};
_Static_assert(sizeof(struct rec_left_out) == REC_LEFT_OUT, "the end of a page");

static struct rec_left_out rec_left_out;

#endif
