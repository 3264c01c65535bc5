/* left_out.h: what a recording leaves out, so that its time is in what is around: the rules of the
 * trace's filter, the times in which measuring was switched off, and what the instrumentation left
 * alone. Traces and profiles carry it, and reports name it.
 */
#ifndef OPARI_REC_LEFT_OUT_H
#define OPARI_REC_LEFT_OUT_H

#include <stdint.h>

enum { REC_LEFT_OUT = 512, REC_OPTIONS = REC_LEFT_OUT - 56 };

/* Package recording reads it at the end of a trace's first page, so it is as it is in any file of
 * this format. */
struct rec_left_out {
    uint64_t rules, minimum;   /* of the filter; ns */
    uint64_t filter;           /* distinguishes filters; 0: there is none */
    uint64_t regions;          /* that the rules left out */
    uint64_t off, off_ns;      /* how often, and how long, up to off_since */
    uint64_t off_since;        /* on the monotonic clock; 0: measuring is on */
    char options[REC_OPTIONS]; /* of the instrumentation, with a line end behind each */
};
_Static_assert(sizeof(struct rec_left_out) == REC_LEFT_OUT, "the end of a page");

static struct rec_left_out rec_left_out;

#endif
