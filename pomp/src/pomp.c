/* pomp.c: the whole library as one translation unit: an event's way from its entry point to the recorder is inlined, and nothing but the
 * interface is visible outside.
 */
#define _GNU_SOURCE 1

#include "../../ompt_bridge/src/ompt_bridge.c"

#include "pomp_units.c"
#include "pomp_events.c"
#include "pomp_locks.c"
#include "pomp_fortran.c"
