/* older_numbers.h: the numbers of events and states in the two older generations of OMPT. */
#ifndef OPARI_OLDER_NUMBERS_H
#define OPARI_OLDER_NUMBERS_H

#define OMPT_LISTS_ALONE
#include "../ompt_2013.h"
#include "../ompt_2016.h"

#define OPARI_X(number, name) OPARI_2016_##name = number,
enum { FOREACH_OMPT_2016_EVENT(OPARI_X) OPARI_2016_EVENTS };
#undef OPARI_X
#define OPARI_X(number, name) OPARI_2013_##name = number,
enum { FOREACH_OMPT_2013_EVENT(OPARI_X) OPARI_2013_EVENTS };
#undef OPARI_X

#define OPARI_X(number, name) OPARI_2016_STATE_##name = number,
enum { FOREACH_OMPT_2016_STATE(OPARI_X) OPARI_2016_STATES };
#undef OPARI_X
#define OPARI_X(number, name) OPARI_2013_STATE_##name = number,
enum { FOREACH_OMPT_2013_STATE(OPARI_X) OPARI_2013_STATES };
#undef OPARI_X

/* The answers of ompt_set_callback in both generations. The paper of 2013 has no number for an
 * error and counts the others from 0. */
enum {
    OPARI_SET_ERROR,
    OPARI_SET_IMPOSSIBLE,
    OPARI_SET_NEVER,
    OPARI_SET_SOMETIMES,
    OPARI_SET_ALWAYS
};

#endif
