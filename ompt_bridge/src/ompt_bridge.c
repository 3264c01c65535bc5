/* ompt_bridge.c: the bridge and its recorders. Their user includes this file once, so that calls
 * between all of them can be inlined. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

/* The order matters: a file uses only files above it, which internal/arch tests. */
#include "platform/platform.h"
OPARI_FOR_SIZE
#include "platform/memory.c"
OPARI_FOR_SPEED
#include "recording/clock.c"
OPARI_FOR_SIZE
#include "recording/output.c"
#include "recording/left_out.c"
OPARI_FOR_SPEED
#include "trace/chunk.c"
OPARI_FOR_SIZE
#include "trace/identity.c"
#include "trace/file.c"
OPARI_FOR_SPEED
#include "trace/events.c"
OPARI_FOR_SIZE
#include "trace/tool.c"
OPARI_FOR_SPEED
#include "profile/regions.c"
#include "profile/events.c"
#include "profile/sync.c"
#include "profile/teams.c"
OPARI_FOR_SIZE
#include "profile/target.c"
#include "profile/dealt.c"
#include "profile/write.c"
#include "profile/tool.c"
OPARI_FOR_SPEED

#include "core/entries.h"
OPARI_FOR_SIZE
#include "core/threads.c"
#include "core/callbacks.c"
#include "core/lookup.c"
OPARI_FOR_SPEED
#include "core/raise.c"
#include "core/direct.c"
#include "core/free_lists.c"
#include "constructs/depend.c"
#include "constructs/regions.c"
#include "constructs/task_life.c"
#include "constructs/worksharing.c"
#include "constructs/implicit.c"
OPARI_FOR_SIZE
#include "constructs/taskwait.c"
OPARI_FOR_SPEED
#include "constructs/close.c"
#include "constructs/parallel.c"
#include "constructs/league.c"
#include "constructs/task.c"
#include "constructs/traced.c"
#include "constructs/lazy.c"
#include "constructs/nest_locks.c"
OPARI_FOR_SIZE
#include "constructs/thread.c"

#include "target/tracing.c"
#include "target/tracing_inquiry.c"
#include "target/tracing_2016.c"
OPARI_FOR_SPEED
#include "target/devices.c"
#include "target/constructs.c"
#include "target/mapping.c"
#include "target/discrete.c"
OPARI_FOR_SIZE
#include "inquiry/places.c"
#include "inquiry/inquiry.c"
#include "generations/tool.c"
#include "generations/events_2016.c"
#include "generations/inquiry_2016.c"
#include "generations/events_2013.c"
#include "generations/inquiry_2013.c"
#include "startup/start.c"
#include "startup/defined.c"
#include "startup/search.c"
#include "startup/life.c"
OPARI_FOR_SPEED
