/* ompt_bridge.c: the bridge and its recorder, to be included once by their user: calls between them inline. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include "memory.c"
#include "hear.c"
#include "fire.c"
#include "records.c"
#include "depend.c"
#include "stack.c"
#include "parallel.c"
#include "league.c"
#include "task.c"
#include "constructs.c"
#include "places.c"
#include "inquiry.c"
#include "generations.c"
#include "gen2016.c"
#include "gen2016_inquiry.c"
#include "gen2013.c"
#include "gen2013_inquiry.c"
#include "tool_start.c"
#include "tool_search.c"
#include "thread.c"

#include "rec_clock.c"
#include "rec_regions.c"
#include "recorder.c"
#include "rec_sync.c"
#include "rec_teams.c"
#include "rec_write.c"
#include "rec_tool.c"
