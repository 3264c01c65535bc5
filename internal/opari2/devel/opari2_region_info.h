/* opari2_region_info.h: what every region of POMP2 has: where it begins and ends. */
#ifndef OPARI2_REGION_INFO_H
#define OPARI2_REGION_INFO_H

/* The fields with which each region's information begins. The strings belong to it. The lines are
 * the first and the last of the directive, and of the end directive. */
#define OPARI2_REGION_INFO \
    char *mStartFileName; \
    unsigned mStartLine1; \
    unsigned mStartLine2; \
    char *mEndFileName; \
    unsigned mEndLine1; \
    unsigned mEndLine2;

typedef struct {
    OPARI2_REGION_INFO
} OPARI2_Region_info;

#endif
