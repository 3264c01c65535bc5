/* pomp2_user_lib.h: the part of the POMP2 interface, version 3:0:0, that is about user regions and
 * does not need OpenMP; see pomp2_lib.h. */
#ifndef POMP2_USER_LIB_H
#define POMP2_USER_LIB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __opari2_region_handle
#define __opari2_region_handle
typedef void *OPARI2_Region_handle;
#endif
typedef OPARI2_Region_handle POMP2_USER_Region_handle;

/* These are in the initialization file. */
extern size_t POMP2_USER_Get_num_regions(void);
extern void POMP2_USER_Init_regions(void);
extern const char *POMP2_Get_opari2_version(void);

extern void POMP2_USER_Assign_handle(POMP2_USER_Region_handle *handle, const char ctc[]);

extern void POMP2_Init(void);
extern void POMP2_Finalize(void);
extern void POMP2_On(void);
extern void POMP2_Off(void);
extern void POMP2_Begin(POMP2_USER_Region_handle *handle, const char ctc[]);
extern void POMP2_End(POMP2_USER_Region_handle *handle);

#ifdef __cplusplus
}
#endif

#endif
