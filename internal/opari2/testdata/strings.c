/* Prints what the string of a region says: strings STRING, or strings -u STRING for a user region.
 */
#include "pomp2_region_info.h"
#include "pomp2_user_region_info.h"

#include <stdio.h>

static const char *text(const char *s) { return s != NULL ? s : "-"; }

static void places(const OPARI2_Region_info *i)
{
    printf("%s:%u:%u %s:%u:%u\n", text(i->mStartFileName), i->mStartLine1, i->mStartLine2,
           text(i->mEndFileName), i->mEndLine1, i->mEndLine2);
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        POMP2_USER_Region_info u;
        ctcString2UserRegionInfo(argv[2], &u);
        places((const OPARI2_Region_info *)(const void *)&u);
        printf("%s %s\n", pomp2UserRegionType2String(u.mRegionType), text(u.mUserRegionName));
        freePOMP2UserRegionInfoMembers(&u);
        return 0;
    }
    POMP2_Region_info i = {0};
    ctcString2RegionInfo(argv[1], &i);
    places((const OPARI2_Region_info *)(const void *)&i);
    printf("%s copyin %d copyprivate %d if %d firstprivate %d lastprivate %d nowait %d threads %d "
           "ordered %d reduction %d shared %d collapse %d untied %d\n",
           pomp2RegionType2String(i.mRegionType), i.mHasCopyIn, i.mHasCopyPrivate, i.mHasIf,
           i.mHasFirstPrivate, i.mHasLastPrivate, i.mHasNoWait, i.mHasNumThreads, i.mHasOrdered,
           i.mHasReduction, i.mHasShared, i.mHasCollapse, i.mHasUntied);
    printf("%s, default %d, group %s, %u sections, critical %s\n",
           pomp2ScheduleType2String(i.mScheduleType), i.mDefaultSharingType, text(i.mUserGroupName),
           i.mNumSections, text(i.mCriticalName));
    freePOMP2RegionInfoMembers(&i);
    return 0;
}
