/* shim1.c: from the calls of units that opari has instrumented to those of POMP, which a
 * measurement library made for OPARI 1.x defines. It is C11 and C++11. The names of the library's
 * calls stand above. */
#pragma GCC visibility push(default)
#include "pomp_lib.h"
#include "pomp1.h"
#include "kinds.h"
#include "regions.c"
#include "pomp1.c"
#include "units.c"
#include "frames.c"
#include "events.c"
#include "tasks.c"
#include "fortran.c"
#pragma GCC visibility pop
