/* shim.c: from the calls of units that opari has instrumented to those of POMP2, which a
 * measurement library made for OPARI2 defines. It is C11 and C++11. */
#pragma GCC visibility push(default)
#include "pomp_lib.h"
#include "interface.h"
#include "kinds.h"
#include "regions.c"
#include "units.c"
#include "frames.c"
#include "events.c"
#include "tasks.c"
#include "fortran.c"
#include "fortran_locks.c"
#pragma GCC visibility pop
