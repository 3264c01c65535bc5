/* omp_control.h: omp_control_tool and its commands, OpenMP 5.2 [18.14], for compilers whose omp.h
 * lacks them, such as GCC up to 14 at least. It also declares ompt_control, the equivalent in OMPT
 * of 2013 and 2016. The measurement library defines both. Include this header after <omp.h>, or
 * with -include.
 */
#ifndef OPARI_OMP_CONTROL_H
#define OPARI_OMP_CONTROL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum omp_control_tool_t {
    omp_control_tool_start = 1,
    omp_control_tool_pause = 2,
    omp_control_tool_flush = 3,
    omp_control_tool_end = 4
} omp_control_tool_t;

typedef enum omp_control_tool_result_t {
    omp_control_tool_notool = -2,
    omp_control_tool_nocallback = -1,
    omp_control_tool_success = 0,
    omp_control_tool_ignored = 1
} omp_control_tool_result_t;

/* The tool interprets command and modifier, and chooses the answer where it listens. */
extern int omp_control_tool(int command, int modifier, void *arg);

/* Sends the command to a tool of any generation and returns no answer. A program that uses it also
 * runs without a tool. */
extern void ompt_control(uint64_t command, uint64_t modifier);

#ifdef __cplusplus
}
#endif

#endif
