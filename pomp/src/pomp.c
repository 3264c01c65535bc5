/* pomp.c: the entire library as one translation unit. The compiler can then inline an event's path
 * from its entry point to the recorder, and only the interface is visible outside.
 */
#define _GNU_SOURCE 1

#include "../../ompt_bridge/src/ompt_bridge.c"

/* The first declaration of a function decides how it is compiled. The declarations included below
 * therefore must not be under OPARI_FOR_SIZE. */
#include "pomp_environment.h"
#include "pomp_lib.h"

#include "state/state.h"
/* The order matters: a file uses only what an earlier file defines (internal/arch tests that). */
OPARI_FOR_SIZE
#include "state/state.c"
OPARI_FOR_SPEED
#include "runtime/next.c"
OPARI_FOR_SIZE
#if defined POMP_INTERPOSE && !defined POMP_WRAPPED
#include "runtime/objects.c"
#endif
#ifdef OPARI_SHARED
#include "runtime/redirect.c"
#endif
OPARI_FOR_SPEED

#ifdef POMP_INTERPOSE
#include "entry/chunks.c"
#endif
OPARI_FOR_SIZE
#include "entry/target.c"
OPARI_FOR_SPEED
#include "entry/kinds.c"
#include "entry/events.c"
#include "entry/functions.c"
#include "entry/lazy.c"
#ifdef POMP_INTERPOSE
#include "entry/team_barrier.c"
#endif
#include "entry/instances_slow.c"
#include "entry/traced.c"
#include "entry/instances.c"
#include "entry/locks.c"
OPARI_FOR_SIZE
#include "entry/control.c"
OPARI_FOR_SPEED
#include "entry/messages.c"
#ifndef OPARI_SHARED
OPARI_FOR_SIZE
#include "entry/ompt_2013.c"
OPARI_FOR_SPEED
#endif

#include "fortran/events.c"
#include "fortran/merged_events.c"
#include "fortran/merged.c"
#ifdef POMP_INTERPOSE
#include "fortran/dispatchers.c"

#include "gomp/interposed.c"
#include "gomp/barriers.c"
#include "gomp/cancel.c"
#include "gomp/composite.c"
#include "gomp/parallel.c"
#include "gomp/parallel_reductions.c"
#include "gomp/parallel_loop.c"
#include "gomp/league.c"
#include "gomp/fortran_task.c"
#include "gomp/depend.c"
#include "gomp/task.c"
#include "gomp/dealt.c"
#include "gomp/loop.c"
#include "gomp/doacross.c"
#include "gomp/fortran_lock.c"

OPARI_FOR_SIZE
#include "offload/items.c"
#include "offload/kernel.c"
#include "offload/discrete.c"
#include "offload/discrete_kernels.c"
#include "offload/target.c"
#include "offload/data.c"
#include "offload/memory.c"
#ifndef POMP_WRAPPED
#include "offload/plugin.c"
#endif
OPARI_FOR_SPEED
#endif

OPARI_FOR_SIZE
#include "units/units.c"
OPARI_FOR_SPEED
#ifdef POMP_INTERPOSE
#include "units/error.c"
#endif
#ifdef OPARI_SHARED
#include "units/find_block.c"
#endif
#include "units/fortran.c"
