/* pomp2_lib.h: the POMP2 interface, version 3:0:0, as OPARI2 2.0 has it: what a measurement library
 * defines. A program that opari2 has instrumented calls these functions from its initialization
 * file, the output of opari2-config --region-initialization.
 *
 * - A handle is a word that the library assigns to a region; functions get its address. All
 *   functions with a ctc string may see a handle for the first time.
 * - A ctc string describes a region: "LENGTH*regionType=...*sscl=FILE:FIRST:LAST*escl=...**".
 * - old_task and new_task are handles of tasks, which the library makes.
 */
#ifndef POMP2_LIB_H
#define POMP2_LIB_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __opari2_region_handle
#define __opari2_region_handle
typedef void *OPARI2_Region_handle;
#endif
typedef OPARI2_Region_handle POMP2_Region_handle;
typedef int64_t POMP2_Task_handle;

/* These are in the initialization file. */
extern size_t POMP2_Get_num_regions(void);
extern void POMP2_Init_regions(void);
extern const char *POMP2_Get_opari2_version(void);

extern POMP2_Task_handle POMP2_Get_new_task_handle(void);
extern void POMP2_Assign_handle(POMP2_Region_handle *handle, const char ctc[]);

#ifdef _OPENMP
extern void POMP2_Parallel_fork(POMP2_Region_handle *handle, int if_clause, int num_threads,
                                POMP2_Task_handle *old_task, const char ctc[]);
extern void POMP2_Parallel_begin(POMP2_Region_handle *handle);
extern void POMP2_Parallel_end(POMP2_Region_handle *handle);
extern void POMP2_Parallel_join(POMP2_Region_handle *handle, POMP2_Task_handle old_task);

extern void POMP2_Atomic_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Atomic_exit(POMP2_Region_handle *handle);
extern void POMP2_Flush_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Flush_exit(POMP2_Region_handle *handle);
extern void POMP2_For_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_For_exit(POMP2_Region_handle *handle);
extern void POMP2_Sections_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Sections_exit(POMP2_Region_handle *handle);
extern void POMP2_Workshare_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Workshare_exit(POMP2_Region_handle *handle);

extern void POMP2_Critical_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Critical_begin(POMP2_Region_handle *handle);
extern void POMP2_Critical_end(POMP2_Region_handle *handle);
extern void POMP2_Critical_exit(POMP2_Region_handle *handle);
extern void POMP2_Single_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Single_begin(POMP2_Region_handle *handle);
extern void POMP2_Single_end(POMP2_Region_handle *handle);
extern void POMP2_Single_exit(POMP2_Region_handle *handle);
extern void POMP2_Ordered_enter(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Ordered_begin(POMP2_Region_handle *handle);
extern void POMP2_Ordered_end(POMP2_Region_handle *handle);
extern void POMP2_Ordered_exit(POMP2_Region_handle *handle);

extern void POMP2_Master_begin(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Master_end(POMP2_Region_handle *handle);
extern void POMP2_Section_begin(POMP2_Region_handle *handle, const char ctc[]);
extern void POMP2_Section_end(POMP2_Region_handle *handle);

extern void POMP2_Barrier_enter(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                                const char ctc[]);
extern void POMP2_Barrier_exit(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
extern void POMP2_Implicit_barrier_enter(POMP2_Region_handle *handle, POMP2_Task_handle *old_task);
extern void POMP2_Implicit_barrier_exit(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
extern void POMP2_Taskwait_begin(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                                 const char ctc[]);
extern void POMP2_Taskwait_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task);

extern void POMP2_Task_create_begin(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                    POMP2_Task_handle *old_task, int if_clause, const char ctc[]);
extern void POMP2_Task_create_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
extern void POMP2_Task_begin(POMP2_Region_handle *handle, POMP2_Task_handle task);
extern void POMP2_Task_end(POMP2_Region_handle *handle);
extern void POMP2_Untied_task_create_begin(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                           POMP2_Task_handle *old_task, int if_clause,
                                           const char ctc[]);
extern void POMP2_Untied_task_create_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
extern void POMP2_Untied_task_begin(POMP2_Region_handle *handle, POMP2_Task_handle task);
extern void POMP2_Untied_task_end(POMP2_Region_handle *handle);

/* These do the work of OpenMP's routines, too. */
extern void POMP2_Init_lock(omp_lock_t *lock);
extern void POMP2_Destroy_lock(omp_lock_t *lock);
extern void POMP2_Set_lock(omp_lock_t *lock);
extern void POMP2_Unset_lock(omp_lock_t *lock);
extern int POMP2_Test_lock(omp_lock_t *lock);
extern void POMP2_Init_nest_lock(omp_nest_lock_t *lock);
extern void POMP2_Destroy_nest_lock(omp_nest_lock_t *lock);
extern void POMP2_Set_nest_lock(omp_nest_lock_t *lock);
extern void POMP2_Unset_nest_lock(omp_nest_lock_t *lock);
extern int POMP2_Test_nest_lock(omp_nest_lock_t *lock);
#endif /* _OPENMP */

#ifdef __cplusplus
}
#endif

#endif
