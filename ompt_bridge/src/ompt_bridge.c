/* ompt_bridge.c: the bridge and its recorders, to be included once by their user: calls between them inline. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

/* What is not on the path of events is compiled for size: the text of the library is part of every program. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define OPARI_FOR_SIZE _Pragma("GCC push_options") _Pragma("GCC optimize(\"Os\")")
#define OPARI_FOR_SPEED _Pragma("GCC pop_options")
#else
#define OPARI_FOR_SIZE
#define OPARI_FOR_SPEED
#endif

#include "bridge.h" /* here: a declaration that is read while the option holds would make its function small, too */
#include "tracer.h"
OPARI_FOR_SIZE
#include "memory.c"
#include "hear.c"
OPARI_FOR_SPEED
#include "fire.c"
#include "direct.c"
#include "records.c"
#include "depend.c"
#include "stack.c"
#include "parallel.c"
#include "league.c"
#include "task.c"
#include "recorded.c"
#include "regions.c"
#include "constructs.c"
#include "light.c"
#include "nest.c"
OPARI_FOR_SIZE
#include "taskwait.c"
#include "places.c"
#include "device.c"
#include "device_inquiry.c"
OPARI_FOR_SPEED
#include "target.c"
#include "target_map.c"
#include "target_apart.c"
OPARI_FOR_SIZE
#include "inquiry.c"
#include "generations.c"
#include "device_2016.c"
#include "target_device.c"
#include "gen2016.c"
#include "gen2016_inquiry.c"
#include "gen2013.c"
#include "gen2013_inquiry.c"
#include "tool_start.c"
#include "tool_search.c"
#include "thread.c"
OPARI_FOR_SPEED

#include "rec_clock.c"
#include "rec_regions.c"
#include "recorder.c"
#include "rec_sync.c"
#include "rec_teams.c"
OPARI_FOR_SIZE
#include "rec_target.c"
#include "rec_write.c"
#include "rec_tool.c"
OPARI_FOR_SPEED

#include "tracer.c"
OPARI_FOR_SIZE
#include "tracer_identity.c"
#include "tracer_file.c"
#include "tracer_tool.c"
#include "rec_left_out.c"
OPARI_FOR_SPEED
