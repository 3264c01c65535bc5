/* mpi_layer.c: the layer's C as one translation unit. Fortran's routines are units of their own: a
 * program in C has no library that they would need. */
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
