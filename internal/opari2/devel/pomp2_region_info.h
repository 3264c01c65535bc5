/* pomp2_region_info.h: what the string of an OpenMP region says. */
#ifndef POMP2_REGION_INFO_H
#define POMP2_REGION_INFO_H

#include "opari2_region_info.h"

#include <stdbool.h>

typedef enum {
    POMP2_No_type = 0,
    POMP2_Atomic,
    POMP2_Barrier,
    POMP2_Critical,
    POMP2_Do,
    POMP2_Flush,
    POMP2_For,
    POMP2_Master,
    POMP2_Ordered,
    POMP2_Parallel,
    POMP2_Parallel_do,
    POMP2_Parallel_for,
    POMP2_Parallel_sections,
    POMP2_Parallel_workshare,
    POMP2_Sections,
    POMP2_Single,
    POMP2_Task,
    POMP2_Taskuntied,
    POMP2_Taskwait,
    POMP2_Workshare
} POMP2_Region_type;

typedef enum {
    POMP2_No_schedule = 0,
    POMP2_Static,
    POMP2_Dynamic,
    POMP2_Guided,
    POMP2_Runtime,
    POMP2_Auto
} POMP2_Schedule_type;

typedef enum {
    POMP2_No_defaultSharing = 0,
    POMP2_None,
    POMP2_Shared,
    POMP2_Private,
    POMP2_Firstprivate
} POMP2_DefaultSharing_type;

/* The words of strings for these. */
const char *pomp2RegionType2String(POMP2_Region_type type);
const char *pomp2ScheduleType2String(POMP2_Schedule_type type);
const char *pomp2DefaultSharingType2String(POMP2_DefaultSharing_type type);

/* A flag says that the region has the clause. */
typedef struct {
    OPARI2_REGION_INFO
    POMP2_Region_type mRegionType;
    bool mHasCopyIn;
    bool mHasCopyPrivate;
    bool mHasIf;
    bool mHasFirstPrivate;
    bool mHasLastPrivate;
    bool mHasNoWait;
    bool mHasNumThreads;
    bool mHasOrdered;
    bool mHasReduction;
    bool mHasShared;
    bool mHasCollapse;
    bool mHasUntied;
    POMP2_Schedule_type mScheduleType;
    POMP2_DefaultSharing_type mDefaultSharingType;
    char *mUserGroupName;
    unsigned mNumSections;
    char *mCriticalName; /* null: none */
} POMP2_Region_info;

/* Reads a region's string. A string that is wrong ends the program with code 1 and a message. The
 * names belong to *info until freePOMP2RegionInfoMembers. */
void ctcString2RegionInfo(const char string[], POMP2_Region_info *info);
void freePOMP2RegionInfoMembers(POMP2_Region_info *info);

#endif
