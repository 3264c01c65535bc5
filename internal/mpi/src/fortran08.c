/* fortran08.c: the routines of module mpi_f08 with Open MPI's names. Open MPI passes buffers by
 * address. Handles are types with one INTEGER in them.
 *
 * MPICH has the same names for the routines without a buffer. Its routines with a buffer take
 * descriptors and call C's routines, which report them. The profiled routines are weak: where the
 * module is missing they are missing, too, and nothing calls them.
 */
#include "fortran.h"

LAYER_API extern const int opari_mpi_fortran08_1;
const int opari_mpi_fortran08_1 = 1;

#define LAYER_FORTRAN(name) LAYER_API void mpi_##name##_f08_
#ifdef OPEN_MPI
#define LAYER_PROFILED(name) pmpi_##name##_f08_
#define LAYER_DECLARED
#define LAYER_FIRST 1
#else
#define LAYER_DESCRIPTORS
#define LAYER_PROFILED(name) pmpir_##name##_f08_
#define LAYER_DECLARED __attribute__((weak))
#define LAYER_FIRST layer_first_index()

void LAYER_PROFILED(waitany)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status,
                             MPI_Fint *ierror) LAYER_DECLARED;

static int layer_query(void *state, MPI_Status *status)
{
    (void)state;
    (void)PMPI_Status_set_cancelled(status, 0);
    return PMPI_Status_set_elements(status, MPI_BYTE, 0);
}
static int layer_nothing(void *state) { return (void)state, MPI_SUCCESS; }
static int layer_no_cancel(void *state, int complete)
{
    return (void)state, (void)complete, MPI_SUCCESS;
}

/* Returns the index that MPI_Waitany gives for the first request: 1, but 0 in MPICH 4.0. The
 * program must see the same index as without the layer. */
static LAYER_COLD int layer_first_index(void)
{
    static int known = -1;
    int first = __atomic_load_n(&known, __ATOMIC_RELAXED);
    MPI_Fint one = 1, request, index = 1, status[LAYER_STATUS_SIZE], error = MPI_SUCCESS;
    MPI_Request r;
    if (first >= 0 ||
        PMPI_Grequest_start(layer_query, layer_nothing, layer_no_cancel, NULL, &r) != MPI_SUCCESS)
        return first >= 0 ? first : 1;
    (void)PMPI_Grequest_complete(r);
    request = PMPI_Request_c2f(r);
    LAYER_PROFILED(waitany)(&one, &request, &index, status, &error);
    first = index != 0;
    __atomic_store_n(&known, first, __ATOMIC_RELAXED);
    return first;
}
#endif
#include "fortran_calls.h"
#include "fortran_waits.h"
