/* opari2_ctc_token.h: the keys of a region's string that every region has. The other keys stand in
 * pomp2_region_info.c and pomp2_user_region_info.c. */
#ifndef OPARI2_CTC_TOKEN_H
#define OPARI2_CTC_TOKEN_H

#define OPARI2_CTC_REGION_TYPE "regionType"
#define OPARI2_CTC_START "sscl"
#define OPARI2_CTC_END "escl"

#endif
