/* pomp2_user_region_info.c: see pomp2_user_region_info.h. */
#include "pomp2_user_region_info.h"

#include "opari2_ctc_parser.h"
#include "opari2_ctc_token.h"

#include <string.h>

static const char *const types[] = {"userRegion", NULL};

const char *pomp2UserRegionType2String(POMP2_USER_Region_type type)
{
    return OPARI2_CTC_word(types, (int)type, "no valid user region type");
}

static bool take(const OPARI2_CTC *c, const char *key, const char *value)
{
    POMP2_USER_Region_info *info = c->info;
    if (strcmp(key, OPARI2_CTC_REGION_TYPE) == 0) {
        info->mRegionType = (POMP2_USER_Region_type)OPARI2_CTC_find(types, value);
        return info->mRegionType != POMP2_USER_no_type;
    }
    if (strcmp(key, "userRegionName") != 0)
        return false;
    OPARI2_CTC_free(&info->mUserRegionName);
    info->mUserRegionName = OPARI2_CTC_copy(value);
    return true;
}

void ctcString2UserRegionInfo(const char string[], POMP2_USER_Region_info *info)
{
    const OPARI2_CTC c = {string, info};
    memset(info, 0, sizeof *info);
    OPARI2_CTC_parse(&c, take);
    if (info->mRegionType == POMP2_USER_no_type)
        OPARI2_CTC_error(&c, "no regionType", NULL);
    if (info->mUserRegionName == NULL)
        OPARI2_CTC_error(&c, "no userRegionName", NULL);
}

void freePOMP2UserRegionInfoMembers(POMP2_USER_Region_info *info)
{
    OPARI2_CTC_free(&info->mStartFileName);
    OPARI2_CTC_free(&info->mEndFileName);
    OPARI2_CTC_free(&info->mUserRegionName);
}
