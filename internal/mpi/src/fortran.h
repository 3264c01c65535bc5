/* fortran.h: Fortran's routines as C sees them: all arguments are addresses, handles are INTEGER,
 * and each CHARACTER has a hidden length at the end. This file has what they share. fortran.c has
 * the routines of mpif.h and of module mpi; fortran08.c has those of module mpi_f08, whose ierror
 * may be missing. */
#ifndef OPARI_MPI_FORTRAN_H
#define OPARI_MPI_FORTRAN_H

#include "layer.h"

/* Constants that programs pass by their address: Open MPI's, and those of MPICH's module mpi_f08.
 * In other cases they are MPI_F_STATUS_IGNORE and MPI_F_STATUSES_IGNORE. */
#pragma weak mpi_fortran_status_ignore_
#pragma weak mpi_fortran_statuses_ignore_
extern MPI_Fint mpi_fortran_status_ignore_[], mpi_fortran_statuses_ignore_[];
extern MPI_Fint layer_f08_ignore[] __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__((weak));
extern MPI_Fint layer_f08_ignore_all[] __asm__("MPIR_F08_MPI_STATUSES_IGNORE_OBJ")
    __attribute__((weak));

static inline int layer_ignored(const MPI_Fint *status)
{
    return status == MPI_F_STATUS_IGNORE || status == mpi_fortran_status_ignore_ ||
           status == layer_f08_ignore;
}
static inline int layer_ignored_all(const MPI_Fint *statuses)
{
    return statuses == MPI_F_STATUSES_IGNORE || statuses == mpi_fortran_statuses_ignore_ ||
           statuses == layer_f08_ignore_all;
}

static inline void layer_set_error(MPI_Fint *ierror, int error)
{
    if (ierror != NULL)
        *ierror = error;
}

/* Converts a status to C's. */
static inline const MPI_Status *layer_status(const MPI_Fint *status, MPI_Status *own)
{
    (void)PMPI_Status_f2c((MPI_Fint *)(uintptr_t)status, own);
    return own;
}

enum {
    LAYER_STATUS_SIZE = (sizeof(MPI_Status) + sizeof(MPI_Fint) - 1) / sizeof(MPI_Fint),
    LAYER_LIST = 64
};

/* Requests and statuses, converted to C's. */
struct layer_lists {
    int n;
    MPI_Request few[LAYER_LIST], *requests;
    MPI_Status few_statuses[LAYER_LIST], *statuses;
};

static inline int layer_lists_open(struct layer_lists *l, int n, const MPI_Fint *requests,
                                   int with_statuses)
{
    const size_t room = n > 0 ? (size_t)n : 0;
    l->n = (int)room;
    l->requests = room <= LAYER_LIST ? l->few : malloc(room * sizeof *l->requests);
    l->statuses = !with_statuses       ? MPI_STATUSES_IGNORE
                  : room <= LAYER_LIST ? l->few_statuses
                                       : malloc(room * sizeof *l->statuses);
    if (l->requests == NULL || (with_statuses && l->statuses == NULL)) {
        if (l->requests != l->few)
            free(l->requests);
        return 0;
    }
    for (int i = 0; i < l->n; i++)
        l->requests[i] = PMPI_Request_f2c(requests[i]);
    return 1;
}

/* done: how many statuses were set. indices, if not null, become Fortran's, which begin at
 * first. */
static inline void layer_lists_close(struct layer_lists *l, MPI_Fint *requests, MPI_Fint *statuses,
                                     MPI_Fint *indices, int first, int done, int error)
{
    const int good = error == MPI_SUCCESS || error == MPI_ERR_IN_STATUS;
    for (int i = 0; i < l->n && good; i++)
        requests[i] = PMPI_Request_c2f(l->requests[i]);
    for (int i = 0; done != MPI_UNDEFINED && i < done && good; i++) {
        if (indices != NULL)
            indices[i] += first;
        if (statuses != NULL && l->statuses != MPI_STATUSES_IGNORE)
            (void)PMPI_Status_c2f(&l->statuses[i], statuses + (size_t)i * LAYER_STATUS_SIZE);
    }
    if (l->requests != l->few)
        free(l->requests);
    if (l->statuses != MPI_STATUSES_IGNORE && l->statuses != l->few_statuses)
        free(l->statuses);
}

static inline void layer_one_done(MPI_Fint *index, int at, int first, MPI_Fint *status,
                                  const MPI_Status *own, int error)
{
    if (error != MPI_SUCCESS)
        return;
    *index = at == MPI_UNDEFINED ? at : at + first;
    if (!layer_ignored(status))
        (void)PMPI_Status_c2f(own, status);
}

#endif
