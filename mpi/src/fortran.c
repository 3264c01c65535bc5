/* fortran.c: the routines of mpif.h and of module mpi. */
#include "fortran.h"

LAYER_API extern const int opari_mpi_fortran_1;
const int opari_mpi_fortran_1 = 1;

#define LAYER_FORTRAN(name) LAYER_API void mpi_##name##_
#define LAYER_PROFILED(name) pmpi_##name##_
#include "fortran_calls.h"
#include "fortran_waits.h"
