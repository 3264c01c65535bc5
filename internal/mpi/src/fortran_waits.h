/* fortran_waits.h: Fortran's routines that are written by hand: those that wait, which call C's as
 * MPI's own Fortran routines do, and the environment's. */

LAYER_FORTRAN(wait)(MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Request r = PMPI_Request_f2c(*request);
    MPI_Status own;
    const int error =
        layer_wait(&r, layer_ignored(status) ? MPI_STATUS_IGNORE : &own, LAYER_CALLER);
    layer_set_error(ierror, error);
    if (error != MPI_SUCCESS)
        return;
    *request = PMPI_Request_c2f(r);
    if (!layer_ignored(status))
        (void)PMPI_Status_c2f(&own, status);
}

LAYER_FORTRAN(test)(MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Request r = PMPI_Request_f2c(*request);
    MPI_Status own;
    int done = 0;
    const int error =
        layer_test(&r, &done, layer_ignored(status) ? MPI_STATUS_IGNORE : &own, LAYER_CALLER);
    layer_set_error(ierror, error);
    if (error != MPI_SUCCESS)
        return;
    *flag = done != 0;
    if (done) {
        *request = PMPI_Request_c2f(r);
        if (!layer_ignored(status))
            (void)PMPI_Status_c2f(&own, status);
    }
}

LAYER_FORTRAN(waitall)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct layer_lists l;
    if (!layer_lists_open(&l, *count, requests, !layer_ignored_all(statuses))) {
        layer_set_error(ierror, MPI_ERR_NO_MEM);
        return;
    }
    const int error = layer_waitall(*count, l.requests, l.statuses, LAYER_CALLER);
    layer_lists_close(&l, requests, statuses, NULL, 0, *count, error);
    layer_set_error(ierror, error);
}

LAYER_FORTRAN(testall)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *flag, MPI_Fint *statuses,
                       MPI_Fint *ierror)
{
    struct layer_lists l;
    int done = 0;
    if (!layer_lists_open(&l, *count, requests, !layer_ignored_all(statuses))) {
        layer_set_error(ierror, MPI_ERR_NO_MEM);
        return;
    }
    const int error = layer_testall(*count, l.requests, &done, l.statuses, LAYER_CALLER);
    *flag = done != 0;
    layer_lists_close(&l, requests, statuses, NULL, 0, done ? *count : 0, error);
    layer_set_error(ierror, error);
}

LAYER_FORTRAN(waitany)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status,
                       MPI_Fint *ierror)
{
    struct layer_lists l;
    MPI_Status own;
    int at = MPI_UNDEFINED;
    if (!layer_lists_open(&l, *count, requests, 0)) {
        layer_set_error(ierror, MPI_ERR_NO_MEM);
        return;
    }
    const int error = layer_waitany(*count, l.requests, &at,
                                    layer_ignored(status) ? MPI_STATUS_IGNORE : &own, LAYER_CALLER);
    layer_one_done(index, at, LAYER_FIRST, status, &own, error);
    layer_lists_close(&l, requests, NULL, NULL, 0, 0, error);
    layer_set_error(ierror, error);
}

LAYER_FORTRAN(testany)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag,
                       MPI_Fint *status, MPI_Fint *ierror)
{
    struct layer_lists l;
    MPI_Status own;
    int at = MPI_UNDEFINED, done = 0;
    if (!layer_lists_open(&l, *count, requests, 0)) {
        layer_set_error(ierror, MPI_ERR_NO_MEM);
        return;
    }
    const int error = layer_testany(*count, l.requests, &at, &done,
                                    layer_ignored(status) ? MPI_STATUS_IGNORE : &own, LAYER_CALLER);
    *flag = done != 0;
    if (done)
        layer_one_done(index, at, LAYER_FIRST, status, &own, error);
    else if (error == MPI_SUCCESS)
        *index = MPI_UNDEFINED;
    layer_lists_close(&l, requests, NULL, NULL, 0, 0, error);
    layer_set_error(ierror, error);
}

LAYER_FORTRAN(waitsome)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *done, MPI_Fint *indices,
                        MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct layer_lists l;
    int n = MPI_UNDEFINED;
    if (!layer_lists_open(&l, *count, requests, !layer_ignored_all(statuses))) {
        layer_set_error(ierror, MPI_ERR_NO_MEM);
        return;
    }
    const int error =
        layer_waitsome(*count, l.requests, &n, (int *)indices, l.statuses, LAYER_CALLER);
    *done = n;
    layer_lists_close(&l, requests, statuses, indices, LAYER_FIRST, n, error);
    layer_set_error(ierror, error);
}

LAYER_FORTRAN(testsome)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *done, MPI_Fint *indices,
                        MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct layer_lists l;
    int n = MPI_UNDEFINED;
    if (!layer_lists_open(&l, *count, requests, !layer_ignored_all(statuses))) {
        layer_set_error(ierror, MPI_ERR_NO_MEM);
        return;
    }
    const int error =
        layer_testsome(*count, l.requests, &n, (int *)indices, l.statuses, LAYER_CALLER);
    *done = n;
    layer_lists_close(&l, requests, statuses, indices, LAYER_FIRST, n, error);
    layer_set_error(ierror, error);
}

void LAYER_PROFILED(init)(MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(init)(MPI_Fint *ierror)
{
    MPI_Fint own = 0;
    if (ierror == NULL)
        ierror = &own;
    struct ompregdescr *d = layer_on() ? layer_enter(LAYER_Init, LAYER_CALLER) : NULL;
    if (d != NULL)
        layer_announce();
    LAYER_PROFILED(init)(ierror);
    if (d != NULL) {
        if (*ierror == MPI_SUCCESS)
            layer_begin();
        layer_leave(d);
    }
}

void LAYER_PROFILED(init_thread)(MPI_Fint *required, MPI_Fint *provided,
                                 MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(init_thread)(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    MPI_Fint own = 0;
    if (ierror == NULL)
        ierror = &own;
    struct ompregdescr *d = layer_on() ? layer_enter(LAYER_Init_thread, LAYER_CALLER) : NULL;
    if (d != NULL)
        layer_announce();
    LAYER_PROFILED(init_thread)(required, provided, ierror);
    if (d != NULL) {
        if (*ierror == MPI_SUCCESS)
            layer_begin();
        layer_leave(d);
    }
}

void LAYER_PROFILED(finalize)(MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(finalize)(MPI_Fint *ierror)
{
    MPI_Fint own = 0;
    struct ompregdescr *d = layer_on() ? layer_enter(LAYER_Finalize, LAYER_CALLER) : NULL;
    layer_end();
    LAYER_PROFILED(finalize)(ierror != NULL ? ierror : &own);
    if (d != NULL)
        layer_leave(d);
}

void LAYER_PROFILED(abort)(MPI_Fint *comm, MPI_Fint *errorcode, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(abort)(MPI_Fint *comm, MPI_Fint *errorcode, MPI_Fint *ierror)
{
    MPI_Fint own = 0;
    if (layer_on())
        (void)layer_enter(LAYER_Abort, LAYER_CALLER);
    LAYER_PROFILED(abort)(comm, errorcode, ierror != NULL ? ierror : &own);
}

void LAYER_PROFILED(pcontrol)(MPI_Fint *level) LAYER_DECLARED;
LAYER_FORTRAN(pcontrol)(MPI_Fint *level)
{
    layer_control((int)*level);
    LAYER_PROFILED(pcontrol)(level);
}
