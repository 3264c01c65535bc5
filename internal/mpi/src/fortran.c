/* fortran.c: the routines of mpif.h and of module mpi. */
#include "fortran.h"

LAYER_API extern const int opari_mpi_fortran_1;
const int opari_mpi_fortran_1 = 1;

#define LAYER_FORTRAN(name) LAYER_API void mpi_##name##_
#define LAYER_PROFILED(name) pmpi_##name##_
#define LAYER_DECLARED
#define LAYER_FIRST 1
#include "fortran_calls.h"
#include "fortran_waits.h"
