/* pomp2_region_info.c: see pomp2_region_info.h. */
#include "pomp2_region_info.h"

#include "opari2_ctc_parser.h"
#include "opari2_ctc_token.h"

#include <stdlib.h>
#include <string.h>

static const char *const types[] = {
    "atomic",      "barrier",          "critical",          "do",        "flush",
    "for",         "master",           "ordered",           "parallel",  "paralleldo",
    "parallelfor", "parallelsections", "parallelworkshare", "sections",  "single",
    "task",        "taskuntied",       "taskwait",          "workshare", NULL};
static const char *const schedules[] = {"static", "dynamic", "guided", "runtime", "auto", NULL};
static const char *const defaults[] = {"none", "shared", "private", "firstprivate", NULL};

const char *pomp2RegionType2String(POMP2_Region_type type)
{
    return OPARI2_CTC_word(types, (int)type, "no valid region type");
}

const char *pomp2ScheduleType2String(POMP2_Schedule_type type)
{
    return OPARI2_CTC_word(schedules, (int)type, "no valid schedule type");
}

const char *pomp2DefaultSharingType2String(POMP2_DefaultSharing_type type)
{
    return OPARI2_CTC_word(defaults, (int)type, "no valid defaultSharing type");
}

static const struct {
    const char *key;
    size_t flag;
} flags[] = {
#define FLAG(name, member) {name, offsetof(POMP2_Region_info, member)}
    FLAG("hasCollapse", mHasCollapse),
    FLAG("hasCopyIn", mHasCopyIn),
    FLAG("hasCopyPrivate", mHasCopyPrivate),
    FLAG("hasCopyprivate", mHasCopyPrivate),
    FLAG("hasFirstPrivate", mHasFirstPrivate),
    FLAG("hasIf", mHasIf),
    FLAG("hasLastPrivate", mHasLastPrivate),
    FLAG("hasNowait", mHasNoWait),
    FLAG("hasNum_threads", mHasNumThreads),
    FLAG("hasOrdered", mHasOrdered),
    FLAG("hasReduction", mHasReduction),
    FLAG("hasShared", mHasShared),
    FLAG("hasUntied", mHasUntied)};

/* A word of a list, up to a comma. */
static int word(const OPARI2_CTC *c, const char *const *words, const char *value)
{
    char *first = OPARI2_CTC_copy(value);
    if (first == NULL)
        return 0;
    first[strcspn(first, ",")] = 0;
    const int n = OPARI2_CTC_find(words, first);
    if (n == 0)
        OPARI2_CTC_error(c, "unknown:", value);
    free(first);
    return n;
}

static bool take(const OPARI2_CTC *c, const char *key, const char *value)
{
    POMP2_Region_info *info = c->info;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(key, flags[i].key) == 0) {
            *(bool *)((char *)c->info + flags[i].flag) = OPARI2_CTC_flag(c, value);
            return true;
        }
    if (strcmp(key, OPARI2_CTC_REGION_TYPE) == 0) {
        info->mRegionType = (POMP2_Region_type)word(c, types, value);
    } else if (strcmp(key, "hasSchedule") == 0) {
        info->mScheduleType = (POMP2_Schedule_type)word(c, schedules, value);
    } else if (strcmp(key, "hasDefault") == 0) {
        info->mDefaultSharingType = (POMP2_DefaultSharing_type)word(c, defaults, value);
    } else if (strcmp(key, "numSections") == 0) {
        info->mNumSections = OPARI2_CTC_number(c, value);
    } else if (strcmp(key, "criticalName") == 0) {
        OPARI2_CTC_free(&info->mCriticalName);
        info->mCriticalName = OPARI2_CTC_copy(value);
    } else if (strcmp(key, "userGroupName") == 0) {
        OPARI2_CTC_free(&info->mUserGroupName);
        info->mUserGroupName = OPARI2_CTC_copy(value);
    } else {
        return false;
    }
    return true;
}

void ctcString2RegionInfo(const char string[], POMP2_Region_info *info)
{
    const OPARI2_CTC c = {string, info};
    memset(info, 0, sizeof *info);
    OPARI2_CTC_parse(&c, take);
    if (info->mRegionType == POMP2_No_type)
        OPARI2_CTC_error(&c, "no regionType", NULL);
    if (info->mRegionType == POMP2_Sections && info->mNumSections == 0)
        OPARI2_CTC_error(&c, "no numSections", NULL);
}

void freePOMP2RegionInfoMembers(POMP2_Region_info *info)
{
    OPARI2_CTC_free(&info->mStartFileName);
    OPARI2_CTC_free(&info->mEndFileName);
    OPARI2_CTC_free(&info->mUserGroupName);
    OPARI2_CTC_free(&info->mCriticalName);
}
