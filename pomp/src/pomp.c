/* pomp.c: the whole library as one translation unit: an event's way from its entry point to the recorder is inlined, and nothing but the
 * interface is visible outside.
 */
#define _GNU_SOURCE 1

#include "../../ompt_bridge/src/ompt_bridge.c"

/* A function is compiled as its first declaration says: what stands below must not be declared for size. */
#include "pomp_environment.h"
#include "pomp_lib.h"

OPARI_FOR_SIZE
#include "pomp_units.c"
#include "pomp_target.c"
OPARI_FOR_SPEED
#include "pomp_kinds.c"
#include "pomp_events.c"
#include "pomp_light.c"
#ifdef POMP_INTERPOSE
#include "pomp_gomp_meet.c"
#endif
#include "pomp_instances.c"
#include "pomp_recorded.c"
#include "pomp_locks.c"
OPARI_FOR_SIZE
#include "pomp_control.c"
OPARI_FOR_SPEED
#include "pomp_messages.c"
#include "pomp_fortran_events.c"
#include "pomp_fortran_joins.c"
#ifdef POMP_INTERPOSE
#include "pomp_fortran_calls.c"
#endif
#ifdef OPARI_SHARED
#include "pomp_fortran_find.c"
#endif
#include "pomp_fortran.c"
#ifndef OPARI_SHARED
OPARI_FOR_SIZE
#include "pomp_ompt_2013.c"
OPARI_FOR_SPEED
#endif

#ifdef POMP_INTERPOSE
#include "pomp_gomp.c"
#include "pomp_gomp_team.c"
#include "pomp_gomp_fortran.c"
#include "pomp_gomp_depend.c"
#include "pomp_gomp_task.c"
#include "pomp_gomp_loop.c"
#include "pomp_gomp_doacross.c"
#include "pomp_gomp_lock.c"
#include "pomp_gomp_teams.c"
OPARI_FOR_SIZE
#include "pomp_gomp_items.c"
#include "pomp_gomp_target.c"
#include "pomp_gomp_target_data.c"
#include "pomp_gomp_memory.c"
#include "pomp_gomp_apart.c"
#ifndef POMP_WRAPPED
#include "pomp_gomp_plugin.c"
#include "pomp_gomp_slot.c"
#endif
#ifdef OPARI_SHARED
#include "pomp_gomp_lead.c"
#endif
OPARI_FOR_SPEED
#endif
