/* pomp.c: the whole library as one translation unit: an event's way from its entry point to the recorder is inlined, and nothing but the
 * interface is visible outside.
 */
#define _GNU_SOURCE 1

#include "../../ompt_bridge/src/ompt_bridge.c"

/* A function is compiled as its first declaration says: what stands below must not be declared for size. */
#include "pomp_environment.h"
#include "pomp_lib.h"

OPARI_FOR_SIZE
#include "units/units.c"
#include "entry/target.c"
OPARI_FOR_SPEED
#include "entry/kinds.c"
#include "entry/events.c"
#include "entry/lazy.c"
#ifdef POMP_INTERPOSE
#include "entry/team_barrier.c"
#endif
#include "entry/instances.c"
#include "entry/traced.c"
#include "entry/locks.c"
OPARI_FOR_SIZE
#include "entry/control.c"
OPARI_FOR_SPEED
#include "entry/messages.c"
#include "fortran/events.c"
#include "fortran/merged.c"
#ifdef POMP_INTERPOSE
#include "fortran/dispatchers.c"
#endif
#ifdef OPARI_SHARED
#include "units/find_block.c"
#endif
#include "units/fortran.c"
#ifndef OPARI_SHARED
OPARI_FOR_SIZE
#include "entry/ompt_2013.c"
OPARI_FOR_SPEED
#endif

#ifdef POMP_INTERPOSE
#include "gomp/barriers.c"
#include "gomp/parallel.c"
#include "gomp/fortran_task.c"
#include "gomp/depend.c"
#include "gomp/task.c"
#include "gomp/loop.c"
#include "gomp/doacross.c"
#include "gomp/fortran_lock.c"
#include "gomp/league.c"
OPARI_FOR_SIZE
#include "offload/items.c"
#include "offload/target.c"
#include "offload/data.c"
#include "offload/memory.c"
#include "offload/discrete.c"
#ifndef POMP_WRAPPED
#include "offload/plugin.c"
#include "runtime/slot.c"
#endif
#ifdef OPARI_SHARED
#include "runtime/redirect.c"
#endif
OPARI_FOR_SPEED
#endif
