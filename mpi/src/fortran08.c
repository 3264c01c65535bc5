/* fortran08.c: the routines of module mpi_f08, as implementations name them that pass buffers by address (Open MPI). Handles are types with one INTEGER in them. */
#include "fortran.h"

LAYER_API extern const int opari_mpi_fortran08_1;
const int opari_mpi_fortran08_1 = 1;

#define LAYER_FORTRAN(name) LAYER_API void mpi_##name##_f08_
#define LAYER_PROFILED(name) pmpi_##name##_f08_
#include "fortran_calls.h"
#include "fortran_waits.h"
