/* interface.h: the calls of POMP2, interface 3:0:0, as a measurement library defines them.
 *
 * The library's own header hides most of them from a compiler without OpenMP. A call is weak where
 * the program has nothing that makes it, because not every library has both halves.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At first nobody has asked for the handles, nor for their number. */
#define POMP2_READY 0
#define POMP2_PROMISED 0

typedef void *pomp2_handle;
typedef int64_t pomp2_task;

#define POMP2_WEAK __attribute__((__weak__))
#ifdef POMP2_CONSTRUCTS
#define POMP2_CONSTRUCT extern
#define POMP2_HEARS_CONSTRUCTS 1
#else
#define POMP2_CONSTRUCT extern POMP2_WEAK
#define POMP2_HEARS_CONSTRUCTS (POMP2_Assign_handle != NULL && POMP2_Parallel_fork != NULL)
#endif
#ifdef POMP2_USERS
#define POMP2_USER extern
#define POMP2_HEARS_USERS 1
#else
#define POMP2_USER extern POMP2_WEAK
#define POMP2_HEARS_USERS (POMP2_USER_Assign_handle != NULL && POMP2_Begin != NULL)
#endif

POMP2_CONSTRUCT void POMP2_Assign_handle(pomp2_handle *h, const char ctc[]);
POMP2_USER void POMP2_USER_Assign_handle(pomp2_handle *h, const char ctc[]);
POMP2_USER void POMP2_Begin(pomp2_handle *h, const char ctc[]);
POMP2_USER void POMP2_End(pomp2_handle *h);
extern POMP2_WEAK void POMP2_Init(void);
extern POMP2_WEAK void POMP2_Finalize(void);
extern POMP2_WEAK void POMP2_On(void);
extern POMP2_WEAK void POMP2_Off(void);

/* Constructs without a block of their own. */
#define POMP2_X(name) \
    POMP2_CONSTRUCT void POMP2_##name##_enter(pomp2_handle *h, const char ctc[]); \
    POMP2_CONSTRUCT void POMP2_##name##_exit(pomp2_handle *h);
POMP2_X(Atomic)
POMP2_X(Flush)
POMP2_X(For)
POMP2_X(Sections)
POMP2_X(Workshare)
#undef POMP2_X

/* Those that a thread enters before it may execute the block. */
#define POMP2_X(name) \
    POMP2_CONSTRUCT void POMP2_##name##_enter(pomp2_handle *h, const char ctc[]); \
    POMP2_CONSTRUCT void POMP2_##name##_begin(pomp2_handle *h); \
    POMP2_CONSTRUCT void POMP2_##name##_end(pomp2_handle *h); \
    POMP2_CONSTRUCT void POMP2_##name##_exit(pomp2_handle *h);
POMP2_X(Critical)
POMP2_X(Single)
POMP2_X(Ordered)
#undef POMP2_X

#define POMP2_X(name) \
    POMP2_CONSTRUCT void POMP2_##name##_begin(pomp2_handle *h, const char ctc[]); \
    POMP2_CONSTRUCT void POMP2_##name##_end(pomp2_handle *h);
POMP2_X(Master)
POMP2_X(Section)
#undef POMP2_X

/* At the following, the library stores the thread's current task in *old; it gets the task back
 * where the thread continues it. */
POMP2_CONSTRUCT void POMP2_Barrier_enter(pomp2_handle *h, pomp2_task *old, const char ctc[]);
POMP2_CONSTRUCT void POMP2_Barrier_exit(pomp2_handle *h, pomp2_task old);
POMP2_CONSTRUCT void POMP2_Implicit_barrier_enter(pomp2_handle *h, pomp2_task *old);
POMP2_CONSTRUCT void POMP2_Implicit_barrier_exit(pomp2_handle *h, pomp2_task old);
POMP2_CONSTRUCT void POMP2_Taskwait_begin(pomp2_handle *h, pomp2_task *old, const char ctc[]);
POMP2_CONSTRUCT void POMP2_Taskwait_end(pomp2_handle *h, pomp2_task old);
POMP2_CONSTRUCT void POMP2_Parallel_fork(pomp2_handle *h, int if_value, int num_threads,
                                         pomp2_task *old, const char ctc[]);
POMP2_CONSTRUCT void POMP2_Parallel_begin(pomp2_handle *h);
POMP2_CONSTRUCT void POMP2_Parallel_end(pomp2_handle *h);
POMP2_CONSTRUCT void POMP2_Parallel_join(pomp2_handle *h, pomp2_task old);
#define POMP2_X(task) \
    POMP2_CONSTRUCT void POMP2_##task##_create_begin( \
        pomp2_handle *h, pomp2_task *made, pomp2_task *old, int if_value, const char ctc[]); \
    POMP2_CONSTRUCT void POMP2_##task##_create_end(pomp2_handle *h, pomp2_task old); \
    POMP2_CONSTRUCT void POMP2_##task##_begin(pomp2_handle *h, pomp2_task task); \
    POMP2_CONSTRUCT void POMP2_##task##_end(pomp2_handle *h);
POMP2_X(Task)
POMP2_X(Untied_task)
#undef POMP2_X

/* These replace the runtime's routines. */
#define POMP2_X(name) POMP2_CONSTRUCT void POMP2_##name(void *lock);
POMP2_X(Init_lock)
POMP2_X(Destroy_lock)
POMP2_X(Set_lock)
POMP2_X(Unset_lock)
POMP2_X(Init_nest_lock)
POMP2_X(Destroy_nest_lock)
POMP2_X(Set_nest_lock)
POMP2_X(Unset_nest_lock)
#undef POMP2_X
POMP2_CONSTRUCT int POMP2_Test_lock(void *lock);
POMP2_CONSTRUCT int POMP2_Test_nest_lock(void *lock);

/* What a library asks for, in the program's initialization file. */
extern size_t POMP2_Get_num_regions(void);
extern void POMP2_Init_regions(void);
extern size_t POMP2_USER_Get_num_regions(void);
extern void POMP2_USER_Init_regions(void);
extern const char *POMP2_Get_opari2_version(void);

extern POMP2_WEAK int omp_get_max_threads(void);

#ifdef __cplusplus
}
#endif
