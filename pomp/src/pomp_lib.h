/* pomp_lib.h: the POMP interface to OpenMP, ABI 1: what instrumented code calls, and what a
 * measurement library provides.
 *
 * Instrumented units call these functions through inline wrappers of their own; nobody else needs
 * to, except Fortran or hand-written glue and tests. A unit refers to all of them weakly: a program
 * that is linked without the library runs as it did before. Include this header where you like: in
 * C90 and later, in C++, and in a unit that opari has instrumented (POMP_UNIT_1 is defined there
 * and the declarations that the unit brings along are left out).
 *
 * Rules for all functions:
 *   - They may be called on any thread, by several at once, and from signal handlers: a call that
 * interrupts another one on its thread is ignored. They never print, exit, abort or throw. errno is
 * as before.
 *   - Memory is taken when a thread, a region or a team is met for the first time, and reused
 * afterwards. When there is none the event is not recorded, which the profile counts under "lost".
 *   - While measuring is off every call that takes a descriptor returns at once. Whether it is on
 * stands in `active` of each registered unit, so that a unit needs not call at all.
 *   - d is the address of the region's descriptor: a static object, which must stay until its unit
 * has been taken back by pomp_unit_1. Null is an event of no known region.
 *   - Events of a thread nest. A call whose counterpart did not come (measuring was off, the thread
 * left by cancel, longjmp or an exception) does no harm: an exit without its enter is ignored, and
 * what was left open is closed at the next event that shows it.
 *   - The return address of a call is taken as the address of the construct in the program
 * (codeptr_ra of OpenMP's tool interface).
 */
#ifndef POMP_LIB_H
#define POMP_LIB_H

/* ABI number of this header; struct pomp_unit carries it. */
#define POMP_ABI_1 1

#include "pomp_events.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef POMP_UNIT_1
#define POMP_DESCRIPTOR_1 1
#else

#ifndef POMP_DESCRIPTOR_1
#define POMP_DESCRIPTOR_1 1
/* The context descriptor: one static object per region. The order of the fields is the ABI. Strings
 * are null-terminated and never null in a generated descriptor; a null string is taken as empty. */
struct ompregdescr {
    const char *name; /* the construct: "parallel", "for"; "region": a user region; "lock": a lock
                         routine's call */
    const char *sub_name; /* of a critical, a user region, a lock routine; else "" */
    int num_sections;     /* sections only; else 0 */
    const char *file_name;
    int begin_first_line, begin_last_line; /* of the directive, which may be continued; from 1 */
    int end_first_line, end_last_line;     /* of the end directive, or where the block ends */
    void *data[4];                         /* the measurement library's; null at first */
    struct ompregdescr *next;              /* the same */
    const char *directive;                 /* the whole name as written: "parallel for" */
    unsigned kind;  /* POMP_KIND_x; POMP_KIND_NONE: no region, sub_name is an option by which opari
                       left something of the unit alone */
    unsigned facts; /* POMP_HAS_x */
    int schedule;   /* POMP_SCHEDULE_x */
    int hint; /* of the hint clause: bits of omp_sync_hint_t; 1 with POMP_HAS_DEPEND: the order of
               * the dependences, as descriptors/depend.go writes it, is a second string behind
               * name's terminator */
    struct ompregdescr *outer; /* the region of the same unit around it; null: none */
};
#endif

/* Bits of pomp_unit.active. */
#define POMP_ACTIVE 1
#define POMP_DETAILED \
    2 /* POMP_Final is to be called too, and by units of before POMP_COUNTED POMP_Iterations */
#define POMP_COUNTED \
    4 /* POMP_Counted_enter is to be called for the enter of what knows its number of iterations \
       */
/* POMP_Task_create is to be called in place of POMP_Task_create_begin where there is no final
 * clause, and of a single with nowait POMP_Single_only_begin and POMP_Single_only_end in place of
 * enter, begin, end and exit, on the others POMP_Single_other. Where opari made the barrier of a
 * construct explicit, and it is not the last one of a combined parallel region, its exit is not to
 * be called, and of a single POMP_Single_only_begin in place of enter, begin and end.
 * POMP_Section_end is not to be called. A fork's if_value has this bit too. */
#define POMP_JOINS 32
/* A fork may return the handle 1: of such a region the join alone is to be called, and no barrier
 * to be made for measuring. A fork's if_value has this bit too. */
#define POMP_JOINS_TEAMS 64
/* Calls that are not to be made, because they tell this library nothing. */
#define POMP_NO_BLOCKS \
    8 /* POMP_Critical_end, POMP_Ordered_end, POMP_Taskgroup_begin, POMP_Scope_begin, \
         POMP_Scope_end */
#define POMP_NO_FLUSH_ENTER 16 /* POMP_Flush_enter */

/* The regions of one unit. It has a cache line to itself: every event reads `active`, and what the
 * user's threads write must not lie beside it. */
struct pomp_unit {
    unsigned abi;               /* 1 */
    int regions;                /* how many */
    struct ompregdescr *region; /* the first; the others follow */
    volatile int active; /* the library's: POMP_ACTIVE while measuring is on, with further bits if
                            it likes. 0 at first */
    struct pomp_unit *next; /* the library's */
} __attribute__((__aligned__(64)));

/* A unit's constructor calls this, which makes the unit known, and its destructor calls it again,
 * after which the library knows no address of the unit: one function to compile does for both.
 * Thread-safe, and safe with dlopen and dlclose. A unit of another ABI is left alone. */
extern void pomp_unit_1(struct pomp_unit *unit);

/* Parallel regions. Fork: on the encountering thread before the region, returns the handle of this
 * instance, null when it is not measured; then the others are not to be called. if_value: of the if
 * clause, 1 without one; num_threads: of the clause, 0 without one. Begin and end: on every thread
 * of the team, with the handle, first and last in the region. Join: on the encountering thread,
 * behind the region; the handle is dead after it. */
extern void *POMP_Parallel_fork(struct ompregdescr *d, int if_value, int num_threads);
extern void POMP_Parallel_begin(struct ompregdescr *d, void *handle);
extern void POMP_Parallel_end(struct ompregdescr *d, void *handle);
extern void POMP_Parallel_join(struct ompregdescr *d, void *handle);

/* Explicit tasks. Create_begin and create_end: on the encountering thread around the construct; the
 * former returns the task's handle, null when it is not measured. if_value: of the if clause, 1
 * without one. Begin and end: on the thread that executes the task, first and last in it. The
 * handle is dead after the end, but for create_end. */
extern void *POMP_Task_create_begin(struct ompregdescr *d, int if_value);
extern void POMP_Task_begin(struct ompregdescr *d, void *handle);
extern void POMP_Task_end(struct ompregdescr *d, void *handle);
extern void POMP_Task_create_end(struct ompregdescr *d, void *handle);

/* For libraries that have set POMP_JOINS; none other needs to define these. Task_create is
 * Task_create_begin. Where `entered` is not null the program stores null there in place of calling
 * create_end. Of a single with nowait only_begin and only_end are called on the executing thread
 * around the block, other on any other one behind the construct; of one with a barrier only_begin:
 * POMP_Barrier_enter, with the descriptor of a construct, tells that its work is over, or that this
 * thread has executed none of a single, and POMP_Barrier_exit is the construct's exit. What is
 * called besides, by units of before, does no harm. */
struct pomp_made {
    void *task;
    void **entered;
};
extern struct pomp_made POMP_Task_create(struct ompregdescr *d, int if_value);
extern void POMP_Single_only_begin(struct ompregdescr *d);
extern void POMP_Single_only_end(struct ompregdescr *d);
extern void POMP_Single_other(struct ompregdescr *d);

/* All other constructs: POMP_For_enter(d), POMP_Critical_begin(d), ... Enter and exit: on each
 * thread that meets the construct, around it. Begin and end: on the thread that executes the block,
 * first and last in it. A barrier that opari made explicit is entered and exited with the
 * descriptor of its construct. */
#define POMP_X(name, type, kind) extern void POMP_##name##_##type(struct ompregdescr *d);
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X

/* In detail, for libraries that have set POMP_COUNTED and POMP_DETAILED; none other needs to define
 * these. Counted_enter: in place of POMP_For_enter, POMP_Taskloop_enter, POMP_Loop_enter and
 * POMP_Distribute_enter where the number of iterations is known: of all threads or teams together,
 * the product over the loops that collapse joins. Iterations: the same number, by units that know
 * of POMP_DETAILED only, directly before the enter and on the same thread. Final: directly before
 * POMP_Task_create_begin, the value of the final clause, where there is one. */
extern void POMP_Counted_enter(struct ompregdescr *d, unsigned long iterations);
extern void POMP_Iterations(struct ompregdescr *d, unsigned long iterations);
extern void POMP_Final(struct ompregdescr *d, int final_value);

/* Lock routines: call the original with the same lock and report. lock must not be null. Test
 * returns what the original does. Where the runtime has no routine with a hint the one without is
 * called. */
#define POMP_X(name, routine, kind) extern void POMP_##name(struct ompregdescr *d, void *lock);
FOREACH_POMP_LOCK(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) \
    extern void POMP_##name(struct ompregdescr *d, void *lock, int hint);
FOREACH_POMP_LOCK_WITH_HINT(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) extern int POMP_##name(struct ompregdescr *d, void *lock);
FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X

/* Control. Init: starts measuring if the environment asks for it; registering a unit has done that
 * already, so it matters only after Finalize. Finalize: ends measuring and writes what there is;
 * the end of the process does that too. Off and On: nothing is measured in between, on any thread;
 * regions that are open go on, those that the calling thread has open end at Off. */
extern void POMP_Init(void);
extern void POMP_Finalize(void);
extern void POMP_On(void);
extern void POMP_Off(void);

/* User regions. user: the address of a variable of the user's, for tools; may be null. */
extern void POMP_Begin(struct ompregdescr *d, const void *user);
extern void POMP_End(struct ompregdescr *d, const void *user);

#endif /* POMP_UNIT_1 */

#ifdef __cplusplus
}
#endif

/* The environment: OPARI_PROFILE=PREFIX writes a profile to PREFIX.PID at the end of the process;
 * OPARI_TRACE=DIRECTORY records events there, without those that OPARI_TRACE_FILTER leaves out, for
 * opari trace recover; OPARI=off switches everything off whatever else is set; OPARI=state keeps
 * the threads' states though no tool asks for them. A tool for OpenMP's tool interface is found as
 * OpenMP 5.2 [19.2.2] says, by OMP_TOOL, OMP_TOOL_LIBRARIES and OMP_TOOL_VERBOSE_INIT, and one of
 * that interface's generations of 2016 and 2013 as docs/reference/ompt.md says, unless the runtime
 * brings the interface itself; OPARI_OMPT=bridge|native|off says who provides it,
 * OPARI_OMPT_DIALECT=5.0|5.1|5.2 which edition's numbers are told. Without any of these nothing is
 * measured. */

#endif
