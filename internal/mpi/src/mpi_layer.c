/* mpi_layer.c: the layer's C routines as one translation unit. Fortran's routines are separate
 * units, because they need libraries that a program in C does not link. */
#define _GNU_SOURCE 1

#include "layer.c"
#include "file.c"
#include "communicators.c"
#include "messages.c"
#include "requests.c"
#include "meeting.c"
#include "clock.c"
#include "unify.c"
#include "environment.c"
#include "waits.c"
#include "calls.c"
