/* pomp_lib.h: the POMP interface to OpenMP, ABI 1: what instrumented code calls, and what a
 * measurement library provides.
 *
 * Instrumented units call these functions through their own inline wrappers. Nobody else needs to
 * call them, except Fortran or hand-written glue and tests. A unit refers to all of them weakly, so
 * a program that is linked without the library runs as it did before. The header can be included in
 * C90 and later, in C++, and in a unit that opari has instrumented. Such a unit defines POMP_UNIT_1
 * and has its own declarations, so the header omits them there.
 *
 * Rules for all functions:
 * - They may be called on any thread, by several threads at once, and from signal handlers. The
 *   library ignores a call that interrupts another call on the same thread. The functions never
 *   print, exit, abort or throw, and they preserve errno.
 * - The library allocates memory when it first meets a thread, a region or a team, and reuses it
 *   afterwards. When an allocation fails, the event is not recorded; the profile counts it under
 *   "lost".
 * - While measuring is off, every call that takes a descriptor returns at once. The field `active`
 *   of each registered unit says whether measuring is on, so a unit need not call at all.
 * - d is the address of the region's descriptor. This is a static object, which must exist until
 *   pomp_unit_1 has removed its unit. Null means an event of no known region.
 * - The events of a thread nest. The counterpart of a call may be missing, because measuring was
 *   off or because the thread left by cancel, longjmp or an exception. That does no harm: the
 *   library ignores an exit without its enter. It closes a construct that was left open at the next
 *   event that reveals it.
 * - The return address of a call serves as the address of the construct in the program (codeptr_ra
 *   of OpenMP's tool interface).
 */
#ifndef POMP_LIB_H
#define POMP_LIB_H

/* The ABI number of this header, which struct pomp_unit carries. */
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
/* The context descriptor: one static object per region. The order of the fields is part of the ABI.
 * Strings are null-terminated and never null in a generated descriptor; the library takes a null
 * string for an empty one. */
struct ompregdescr {
    const char *name; /* the construct: "parallel", "for"; "region": a user region; "lock": a lock
                         routine's call */
    const char *sub_name; /* of a critical, a user region, a lock routine; else "" */
    int num_sections;     /* sections only; else 0 */
    const char *file_name;
    int begin_first_line, begin_last_line; /* of the directive, which may be continued; from 1 */
    int end_first_line, end_last_line;     /* of the end directive, or where the block ends */
    void *data[4];                         /* reserved for the measurement library; null at first */
    struct ompregdescr *next;              /* reserved for the measurement library; null at first */
    const char *directive;                 /* the whole name as written: "parallel for" */
    unsigned kind;  /* POMP_KIND_x. POMP_KIND_NONE marks an entry that is no region: its sub_name is
                       an option because of which opari left a part of the unit uninstrumented */
    unsigned facts; /* POMP_HAS_x */
    int schedule;   /* POMP_SCHEDULE_x */
    int hint; /* value of the hint clause: bits of omp_sync_hint_t. With POMP_HAS_DEPEND: 1 if a
                 second string follows name's terminator and gives the order of the dependences, as
                 descriptors/depend.go writes it. POMP_KEYS_FOLLOW: one follows directive's
                 terminator and says more of the clauses, as descriptors/keys.go writes it */
    struct ompregdescr *outer; /* the enclosing region in the same unit, or null */
};
#endif

#define POMP_KEYS_FOLLOW 0x10000

/* Bits of pomp_unit.active. */
#define POMP_ACTIVE 1
#define POMP_DETAILED \
    2 /* units also call POMP_Final, and units older than POMP_COUNTED call POMP_Iterations */
#define POMP_COUNTED 4 /* units call POMP_Counted_enter where they know the iterations */
/* Units make fewer calls. For a task without a final clause they call POMP_Task_create instead of
 * POMP_Task_create_begin. For a single with nowait, the executing thread calls
 * POMP_Single_only_begin and POMP_Single_only_end instead of enter, begin, end and exit. The other
 * threads call POMP_Single_other.
 *
 * A construct whose barrier opari made explicit has no exit call, unless it is the last one of a
 * combined parallel region. If such a construct is a single, POMP_Single_only_begin replaces enter,
 * begin and end. Units do not call POMP_Section_end. A fork's if_value has this bit too. */
#define POMP_MERGES 32
/* A fork may return the handle 1. For such a region, units call only the join, and add no barrier
 * for measuring. A fork's if_value has this bit too. */
#define POMP_MERGES_TEAMS 64
/* Units that --functions=auto has instrumented call POMP_Function_begin and POMP_Function_end for
 * functions, instead of POMP_Begin and POMP_End. They call neither while data[2] of the function's
 * descriptor is not null; an end that is due comes nevertheless. */
#define POMP_RATES 128
/* Calls that units omit, because this library learns nothing from them. */
#define POMP_NO_BLOCKS \
    8 /* POMP_Critical_end, POMP_Ordered_end, POMP_Taskgroup_begin, POMP_Scope_begin, \
         POMP_Scope_end */
#define POMP_NO_FLUSH_ENTER 16 /* POMP_Flush_enter */

/* The regions of one unit. It has a cache line of its own: every event reads `active`, so data that
 * the user's threads write must not share its line. */
struct pomp_unit {
    unsigned abi;               /* 1 */
    int regions;                /* their number */
    struct ompregdescr *region; /* the first; the others follow */
    volatile int active; /* set by the library: POMP_ACTIVE while measuring is on, plus further bits
                            as it likes. 0 at first */
    struct pomp_unit *next; /* reserved for the library */
} __attribute__((__aligned__(64)));

/* A unit's constructor calls this to register the unit. Its destructor calls it again; after that
 * the library holds no address of the unit. One function does both, so that a unit compiles only
 * one. It is thread-safe, and safe with dlopen and dlclose. It ignores a unit of another ABI. */
extern void pomp_unit_1(struct pomp_unit *unit);

/* Parallel regions.
 * - Fork runs on the encountering thread before the region and returns the handle of this instance.
 *   Null means that the instance is not measured, and then units omit the other calls. if_value is
 *   the value of the if clause, 1 without one. num_threads is the value of the clause, 0 without
 *   one.
 * - Begin and end run on every thread of the team, with the handle, first and last in the region.
 * - Join runs on the encountering thread after the region. The handle is invalid afterwards. */
extern void *POMP_Parallel_fork(struct ompregdescr *d, int if_value, int num_threads);
extern void POMP_Parallel_begin(struct ompregdescr *d, void *handle);
extern void POMP_Parallel_end(struct ompregdescr *d, void *handle);
extern void POMP_Parallel_join(struct ompregdescr *d, void *handle);

/* Explicit tasks.
 * - Create_begin and create_end run on the encountering thread around the construct. Create_begin
 *   returns the task's handle, or null when the task is not measured. if_value is the value of the
 *   if clause, 1 without one.
 * - Begin and end run on the thread that executes the task, first and last in it. After the end,
 *   only create_end may still use the handle. */
extern void *POMP_Task_create_begin(struct ompregdescr *d, int if_value);
extern void POMP_Task_begin(struct ompregdescr *d, void *handle);
extern void POMP_Task_end(struct ompregdescr *d, void *handle);
extern void POMP_Task_create_end(struct ompregdescr *d, void *handle);

/* For libraries that have set POMP_MERGES; no other library needs to define these.
 * - Task_create does the work of Task_create_begin. Where `entered` is not null, the program stores
 *   null there instead of calling Task_create_end.
 * - For a single with nowait, the executing thread calls Single_only_begin and Single_only_end
 *   around the block. Every other thread calls Single_other after the construct.
 * - For a single with a barrier, the executing thread calls Single_only_begin.
 * - POMP_Barrier_enter with the descriptor of a construct means that the thread has finished the
 *   construct's work, or has executed no block of a single. POMP_Barrier_exit is then the exit of
 *   the construct.
 * - Additional calls by older units do no harm. */
struct pomp_made {
    void *task;
    void **entered;
};
extern struct pomp_made POMP_Task_create(struct ompregdescr *d, int if_value);
extern void POMP_Single_only_begin(struct ompregdescr *d);
extern void POMP_Single_only_end(struct ompregdescr *d);
extern void POMP_Single_other(struct ompregdescr *d);

/* All other constructs: POMP_For_enter(d), POMP_Critical_begin(d), and so on. Each thread that
 * meets the construct calls enter and exit around it. The thread that executes the block calls
 * begin and end, first and last in it. Where opari made a barrier explicit, its enter and exit take
 * the descriptor of its construct. */
#define POMP_X(name, type, kind) extern void POMP_##name##_##type(struct ompregdescr *d);
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X

/* Details, for libraries that have set POMP_COUNTED and POMP_DETAILED; no other library needs to
 * define these.
 * - Counted_enter replaces POMP_For_enter, POMP_Taskloop_enter, POMP_Loop_enter and
 *   POMP_Distribute_enter where the number of iterations is known. That number covers all threads
 *   or teams together; for collapse it is the product over the loops.
 * - Iterations gives the same number in units that know only POMP_DETAILED. It comes directly
 *   before the enter, on the same thread.
 * - Final gives the value of the final clause, where there is one, directly before
 *   POMP_Task_create_begin. */
extern void POMP_Counted_enter(struct ompregdescr *d, unsigned long iterations);
extern void POMP_Iterations(struct ompregdescr *d, unsigned long iterations);
extern void POMP_Final(struct ompregdescr *d, int final_value);

/* Lock routines: each calls the original with the same lock and reports it. lock must not be null.
 * Test returns what the original returns. Where the runtime has no routine with a hint, the library
 * calls the one without. */
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

/* Control.
 * - Init starts measuring if the environment asks for it. Registering a unit does the same, so Init
 *   matters only after Finalize.
 * - Finalize ends measuring and writes the results, as does the end of the process.
 * - Between Off and On nothing is measured, on any thread. Open regions continue, except that those
 *   of the calling thread end at Off. */
extern void POMP_Init(void);
extern void POMP_Finalize(void);
extern void POMP_On(void);
extern void POMP_Off(void);

/* User regions. user is the address of a variable of the user's, for tools; it may be null. */
extern void POMP_Begin(struct ompregdescr *d, const void *user);
extern void POMP_End(struct ompregdescr *d, const void *user);

/* The same for functions, for libraries that have set POMP_RATES; no other library needs to define
 * these. */
extern void POMP_Function_begin(struct ompregdescr *d);
extern void POMP_Function_end(struct ompregdescr *d);

#endif /* POMP_UNIT_1 */

#ifdef __cplusplus
}
#endif

/* The environment.
 * - OPARI_PROFILE=PREFIX writes a profile to PREFIX.PID at the end of the process.
 * - OPARI_TRACE=DIRECTORY records events there for opari trace recover. OPARI_TRACE_FILTER names
 *   events to leave out. With OPARI_TRACE_NUMBERS tasks and requests of MPI have numbers there.
 * - OPARI=off switches everything off, whatever else is set. OPARI=state maintains the threads'
 *   states although no tool asks for them.
 * - OMP_TOOL, OMP_TOOL_LIBRARIES and OMP_TOOL_VERBOSE_INIT select a tool for OpenMP's tool
 *   interface, as OpenMP 5.2 [19.2.2] describes. docs/reference/ompt.md describes how a tool for
 *   the interface's generations of 2016 and 2013 is found. All this holds unless the runtime
 *   provides the interface itself.
 * - OPARI_OMPT=bridge|native|off selects who provides the interface. OPARI_OMPT_DIALECT=5.0|5.1|5.2
 *   selects the edition whose numbers tools get.
 *
 * Without any of these nothing is measured. */

#endif
