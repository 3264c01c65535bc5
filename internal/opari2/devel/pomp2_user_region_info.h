/* pomp2_user_region_info.h: what the string of a user region says. */
#ifndef POMP2_USER_REGION_INFO_H
#define POMP2_USER_REGION_INFO_H

#include "opari2_region_info.h"

typedef enum { POMP2_USER_no_type = 0, POMP2_USER_Region } POMP2_USER_Region_type;

const char *pomp2UserRegionType2String(POMP2_USER_Region_type type);

typedef struct {
    OPARI2_REGION_INFO
    POMP2_USER_Region_type mRegionType;
    char *mUserRegionName;
} POMP2_USER_Region_info;

/* Reads a user region's string, as ctcString2RegionInfo does that of a construct. */
void ctcString2UserRegionInfo(const char string[], POMP2_USER_Region_info *info);
void freePOMP2UserRegionInfoMembers(POMP2_USER_Region_info *info);

#endif
