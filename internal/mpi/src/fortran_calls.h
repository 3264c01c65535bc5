/* Generated from the table of routines (internal/mpi/table.go); do not edit, run go generate ./internal/mpi. */

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(send)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(send)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(send)(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Send, LAYER_CALLER);
    layer_sent(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(send)(buf, count, datatype, dest, tag, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(bsend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(bsend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(bsend)(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Bsend, LAYER_CALLER);
    layer_sent(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(bsend)(buf, count, datatype, dest, tag, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ssend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ssend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ssend)(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ssend, LAYER_CALLER);
    layer_sent(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(ssend)(buf, count, datatype, dest, tag, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(rsend)(void *ibuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(rsend)(void *ibuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(rsend)(ibuf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Rsend, LAYER_CALLER);
    layer_sent(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(rsend)(ibuf, count, datatype, dest, tag, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(isend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(isend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(isend)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Isend, LAYER_CALLER);
    const uint64_t number = layer_sending(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(isend)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_sent(PMPI_Request_f2c(*request), number);
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ibsend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ibsend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ibsend)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ibsend, LAYER_CALLER);
    const uint64_t number = layer_sending(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(ibsend)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_sent(PMPI_Request_f2c(*request), number);
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(issend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(issend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(issend)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Issend, LAYER_CALLER);
    const uint64_t number = layer_sending(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(issend)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_sent(PMPI_Request_f2c(*request), number);
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(irsend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(irsend)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(irsend)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Irsend, LAYER_CALLER);
    const uint64_t number = layer_sending(PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(irsend)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_sent(PMPI_Request_f2c(*request), number);
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(send_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(send_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(send_init)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Send_init, LAYER_CALLER);
    LAYER_PROFILED(send_init)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_new(PMPI_Request_f2c(*request), LAYER_PERSISTENT_SEND, PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(bsend_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(bsend_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(bsend_init)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Bsend_init, LAYER_CALLER);
    LAYER_PROFILED(bsend_init)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_new(PMPI_Request_f2c(*request), LAYER_PERSISTENT_SEND, PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ssend_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ssend_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ssend_init)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ssend_init, LAYER_CALLER);
    LAYER_PROFILED(ssend_init)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_new(PMPI_Request_f2c(*request), LAYER_PERSISTENT_SEND, PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(rsend_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(rsend_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(rsend_init)(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Rsend_init, LAYER_CALLER);
    LAYER_PROFILED(rsend_init)(buf, count, datatype, dest, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_new(PMPI_Request_f2c(*request), LAYER_PERSISTENT_SEND, PMPI_Comm_f2c(*comm), *dest, *tag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(recv)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(recv)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    MPI_Fint own[LAYER_STATUS_SIZE];
    MPI_Status converted;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(recv)(buf, count, datatype, source, tag, comm, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Recv, LAYER_CALLER);
    if (layer_ignored(status))
        status = own;
    LAYER_PROFILED(recv)(buf, count, datatype, source, tag, comm, status, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_received(PMPI_Comm_f2c(*comm), layer_status(status, &converted));
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(irecv)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(irecv)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(irecv)(buf, count, datatype, source, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Irecv, LAYER_CALLER);
    LAYER_PROFILED(irecv)(buf, count, datatype, source, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_new(PMPI_Request_f2c(*request), LAYER_RECEIVE, PMPI_Comm_f2c(*comm), *source, 0, 0);
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(recv_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(recv_init)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(recv_init)(buf, count, datatype, source, tag, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Recv_init, LAYER_CALLER);
    LAYER_PROFILED(recv_init)(buf, count, datatype, source, tag, comm, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_new(PMPI_Request_f2c(*request), LAYER_PERSISTENT_RECEIVE, PMPI_Comm_f2c(*comm), *source, 0, 0);
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(sendrecv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, MPI_Fint *dest, MPI_Fint *sendtag, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *source, MPI_Fint *recvtag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(sendrecv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, MPI_Fint *dest, MPI_Fint *sendtag, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *source, MPI_Fint *recvtag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    MPI_Fint own[LAYER_STATUS_SIZE];
    MPI_Status converted;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Sendrecv, LAYER_CALLER);
    if (layer_ignored(status))
        status = own;
    layer_sent(PMPI_Comm_f2c(*comm), *dest, *sendtag, layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)));
    LAYER_PROFILED(sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_received(PMPI_Comm_f2c(*comm), layer_status(status, &converted));
    }
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(sendrecv_replace)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *sendtag, MPI_Fint *source, MPI_Fint *recvtag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(sendrecv_replace)(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *sendtag, MPI_Fint *source, MPI_Fint *recvtag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    MPI_Fint own[LAYER_STATUS_SIZE];
    MPI_Status converted;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag, comm, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Sendrecv_replace, LAYER_CALLER);
    if (layer_ignored(status))
        status = own;
    layer_sent(PMPI_Comm_f2c(*comm), *dest, *sendtag, layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag, comm, status, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_received(PMPI_Comm_f2c(*comm), layer_status(status, &converted));
    }
    layer_leave(d);
}
#endif

void LAYER_PROFILED(start)(MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(start)(MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(start)(request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Start, LAYER_CALLER);
    layer_start(PMPI_Request_f2c(*request));
    LAYER_PROFILED(start)(request, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(startall)(MPI_Fint *count, MPI_Fint *array_of_requests, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(startall)(MPI_Fint *count, MPI_Fint *array_of_requests, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(startall)(count, array_of_requests, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Startall, LAYER_CALLER);
    for (int i = 0; i < *count; i++)
        layer_start(PMPI_Request_f2c(array_of_requests[i]));
    LAYER_PROFILED(startall)(count, array_of_requests, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(probe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(probe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(probe)(source, tag, comm, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Probe, LAYER_CALLER);
    LAYER_PROFILED(probe)(source, tag, comm, status, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(iprobe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iprobe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iprobe)(source, tag, comm, flag, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iprobe, LAYER_CALLER);
    LAYER_PROFILED(iprobe)(source, tag, comm, flag, status, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(mprobe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *message, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(mprobe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *message, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(mprobe)(source, tag, comm, message, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Mprobe, LAYER_CALLER);
    LAYER_PROFILED(mprobe)(source, tag, comm, message, status, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_message_new(PMPI_Message_f2c(*message), PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(improbe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *message, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(improbe)(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *message, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(improbe)(source, tag, comm, flag, message, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Improbe, LAYER_CALLER);
    LAYER_PROFILED(improbe)(source, tag, comm, flag, message, status, ierror);
    if (*ierror == MPI_SUCCESS) {
        if (*flag != 0)
            layer_message_new(PMPI_Message_f2c(*message), PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(mrecv)(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *message, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(mrecv)(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *message, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    MPI_Fint own[LAYER_STATUS_SIZE];
    MPI_Status converted;
    if (ierror == NULL)
        ierror = &missing;
    const int measured = layer_on();
    if (!(measured || layer_keeps())) {
        LAYER_PROFILED(mrecv)(buf, count, type, message, status, ierror);
        return;
    }
    struct ompregdescr *d = measured ? layer_enter(LAYER_Mrecv, LAYER_CALLER) : NULL;
    if (layer_ignored(status))
        status = own;
    const unsigned communicator = layer_message_take(PMPI_Message_f2c(*message));
    LAYER_PROFILED(mrecv)(buf, count, type, message, status, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_received_by(communicator, layer_status(status, &converted), 0);
    }
    if (measured)
        layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(imrecv)(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *message, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(imrecv)(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *message, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    const int measured = layer_on();
    if (!(measured || layer_keeps())) {
        LAYER_PROFILED(imrecv)(buf, count, type, message, request, ierror);
        return;
    }
    struct ompregdescr *d = measured ? layer_enter(LAYER_Imrecv, LAYER_CALLER) : NULL;
    const unsigned communicator = layer_message_take(PMPI_Message_f2c(*message));
    LAYER_PROFILED(imrecv)(buf, count, type, message, request, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_request_of(PMPI_Request_f2c(*request), LAYER_RECEIVE, communicator, 0, 0, 0);
    }
    if (measured)
        layer_leave(d);
}
#endif

void LAYER_PROFILED(request_free)(MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(request_free)(MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    const int measured = layer_on();
    if (!(measured || layer_keeps())) {
        LAYER_PROFILED(request_free)(request, ierror);
        return;
    }
    struct ompregdescr *d = measured ? layer_enter(LAYER_Request_free, LAYER_CALLER) : NULL;
    layer_request_freed(PMPI_Request_f2c(*request));
    LAYER_PROFILED(request_free)(request, ierror);
    if (measured)
        layer_leave(d);
}

void LAYER_PROFILED(cancel)(MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(cancel)(MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(cancel)(request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Cancel, LAYER_CALLER);
    LAYER_PROFILED(cancel)(request, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(request_get_status)(MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(request_get_status)(MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(request_get_status)(request, flag, status, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Request_get_status, LAYER_CALLER);
    LAYER_PROFILED(request_get_status)(request, flag, status, ierror);
    layer_leave(d);
}

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(buffer_attach)(void *buffer, MPI_Fint *size, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(buffer_attach)(void *buffer, MPI_Fint *size, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(buffer_attach)(buffer, size, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Buffer_attach, LAYER_CALLER);
    LAYER_PROFILED(buffer_attach)(buffer, size, ierror);
    layer_leave(d);
}
#endif

void LAYER_PROFILED(buffer_detach)(void *buffer, MPI_Fint *size, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(buffer_detach)(void *buffer, MPI_Fint *size, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(buffer_detach)(buffer, size, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Buffer_detach, LAYER_CALLER);
    LAYER_PROFILED(buffer_detach)(buffer, size, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(barrier)(MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(barrier)(MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(barrier)(comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Barrier, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Barrier, LAYER_BARRIER, -1,
                     0,
                     0);
    LAYER_PROFILED(barrier)(comm, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(ibarrier)(MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ibarrier)(MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ibarrier)(comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ibarrier, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ibarrier, LAYER_BARRIER, -1,
                     0,
                     0);
    LAYER_PROFILED(ibarrier)(comm, request, ierror);
    layer_leave(d);
}

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(bcast)(void *buffer, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(bcast)(void *buffer, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(bcast)(buffer, count, datatype, root, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Bcast, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Bcast, LAYER_ONE_TO_ALL, *root,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*count, PMPI_Type_f2c(*datatype)) : 0,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? 0 : layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(bcast)(buffer, count, datatype, root, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ibcast)(void *buffer, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ibcast)(void *buffer, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ibcast)(buffer, count, datatype, root, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ibcast, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ibcast, LAYER_ONE_TO_ALL, *root,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*count, PMPI_Type_f2c(*datatype)) : 0,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? 0 : layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(ibcast)(buffer, count, datatype, root, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(gather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(gather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Gather, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Gather, LAYER_ALL_TO_ONE, *root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)) : 0);
    LAYER_PROFILED(gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(igather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(igather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(igather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Igather, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Igather, LAYER_ALL_TO_ONE, *root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)) : 0);
    LAYER_PROFILED(igather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(gatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(gatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(gatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Gatherv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Gatherv, LAYER_ALL_TO_ONE, *root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)) : 0);
    LAYER_PROFILED(gatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(igatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(igatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(igatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Igatherv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Igatherv, LAYER_ALL_TO_ONE, *root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)) : 0);
    LAYER_PROFILED(igatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(scatter)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(scatter)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Scatter, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Scatter, LAYER_ONE_TO_ALL, *root,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iscatter)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iscatter)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iscatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iscatter, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iscatter, LAYER_ONE_TO_ALL, *root,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(iscatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(scatterv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(scatterv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Scatterv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Scatterv, LAYER_ONE_TO_ALL, *root,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_sum(sendcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*sendtype)) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iscatterv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iscatterv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iscatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iscatterv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iscatterv, LAYER_ONE_TO_ALL, *root,
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_sum(sendcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*sendtype)) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(iscatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(allgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(allgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Allgather, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Allgather, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)));
    LAYER_PROFILED(allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iallgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iallgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iallgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iallgather, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iallgather, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)));
    LAYER_PROFILED(iallgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(allgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(allgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Allgatherv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Allgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(recvcounts[layer_rank(PMPI_Comm_f2c(*comm))], PMPI_Type_f2c(*recvtype)) : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iallgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iallgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iallgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iallgatherv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iallgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(recvcounts[layer_rank(PMPI_Comm_f2c(*comm))], PMPI_Type_f2c(*recvtype)) : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)),
                     layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(iallgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(alltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(alltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Alltoall, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Alltoall, LAYER_ALL_TO_ALL, -1,
                     (layer_in_place(sendbuf) ? layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype))) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)));
    LAYER_PROFILED(alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ialltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ialltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ialltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ialltoall, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ialltoall, LAYER_ALL_TO_ALL, -1,
                     (layer_in_place(sendbuf) ? layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) : layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype))) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)));
    LAYER_PROFILED(ialltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(alltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(alltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Alltoallv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Alltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)) : layer_sum(sendcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*sendtype)),
                     layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ialltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ialltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ialltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ialltoallv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ialltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)) : layer_sum(sendcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*sendtype)),
                     layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(ialltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(alltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(alltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Alltoallw, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Alltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum_each(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), recvtypes, 1) : layer_sum_each(sendcounts, layer_size(PMPI_Comm_f2c(*comm)), sendtypes, 1),
                     layer_sum_each(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), recvtypes, 1));
    LAYER_PROFILED(alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ialltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ialltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ialltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ialltoallw, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ialltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum_each(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), recvtypes, 1) : layer_sum_each(sendcounts, layer_size(PMPI_Comm_f2c(*comm)), sendtypes, 1),
                     layer_sum_each(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), recvtypes, 1));
    LAYER_PROFILED(ialltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(reduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(reduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(reduce)(sendbuf, recvbuf, count, datatype, op, root, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Reduce, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Reduce, LAYER_ALL_TO_ONE, *root,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*count, PMPI_Type_f2c(*datatype)) : 0);
    LAYER_PROFILED(reduce)(sendbuf, recvbuf, count, datatype, op, root, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ireduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ireduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ireduce)(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ireduce, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ireduce, LAYER_ALL_TO_ONE, *root,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_is_root(*root, PMPI_Comm_f2c(*comm)) ? layer_bytes(*count, PMPI_Type_f2c(*datatype)) : 0);
    LAYER_PROFILED(ireduce)(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(allreduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(allreduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(allreduce)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Allreduce, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Allreduce, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(allreduce)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iallreduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iallreduce)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iallreduce)(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iallreduce, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iallreduce, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(iallreduce)(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(reduce_scatter)(void *sendbuf, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(reduce_scatter)(void *sendbuf, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(reduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Reduce_scatter, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Reduce_scatter, LAYER_ALL_TO_ALL, -1,
                     layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*datatype)),
                     layer_bytes(recvcounts[layer_rank(PMPI_Comm_f2c(*comm))], PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(reduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ireduce_scatter)(void *sendbuf, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ireduce_scatter)(void *sendbuf, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ireduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ireduce_scatter, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ireduce_scatter, LAYER_ALL_TO_ALL, -1,
                     layer_sum(recvcounts, layer_size(PMPI_Comm_f2c(*comm)), PMPI_Type_f2c(*datatype)),
                     layer_bytes(recvcounts[layer_rank(PMPI_Comm_f2c(*comm))], PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(ireduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(reduce_scatter_block)(void *sendbuf, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(reduce_scatter_block)(void *sendbuf, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(reduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Reduce_scatter_block, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Reduce_scatter_block, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*recvcount, PMPI_Type_f2c(*datatype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(reduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ireduce_scatter_block)(void *sendbuf, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ireduce_scatter_block)(void *sendbuf, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ireduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ireduce_scatter_block, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ireduce_scatter_block, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*recvcount, PMPI_Type_f2c(*datatype)) * (uint64_t)layer_size(PMPI_Comm_f2c(*comm)),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(ireduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(scan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(scan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(scan)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Scan, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Scan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(scan)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iscan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iscan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iscan)(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iscan, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iscan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(iscan)(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(exscan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(exscan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(exscan)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Exscan, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Exscan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_rank(PMPI_Comm_f2c(*comm)) > 0 ? layer_bytes(*count, PMPI_Type_f2c(*datatype)) : 0);
    LAYER_PROFILED(exscan)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(iexscan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(iexscan)(void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(iexscan)(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Iexscan, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Iexscan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*count, PMPI_Type_f2c(*datatype)),
                     layer_rank(PMPI_Comm_f2c(*comm)) > 0 ? layer_bytes(*count, PMPI_Type_f2c(*datatype)) : 0);
    LAYER_PROFILED(iexscan)(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(neighbor_allgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(neighbor_allgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_allgather, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Neighbor_allgather, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 1),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 0));
    LAYER_PROFILED(neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ineighbor_allgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ineighbor_allgather)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_allgather, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ineighbor_allgather, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 1),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 0));
    LAYER_PROFILED(ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(neighbor_allgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(neighbor_allgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_allgatherv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Neighbor_allgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 1),
                     layer_sum(recvcounts, layer_degree(PMPI_Comm_f2c(*comm), 0), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ineighbor_allgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ineighbor_allgatherv)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_allgatherv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ineighbor_allgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 1),
                     layer_sum(recvcounts, layer_degree(PMPI_Comm_f2c(*comm), 0), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(neighbor_alltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(neighbor_alltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_alltoall, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Neighbor_alltoall, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 1),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 0));
    LAYER_PROFILED(neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ineighbor_alltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ineighbor_alltoall)(void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_alltoall, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ineighbor_alltoall, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(*sendcount, PMPI_Type_f2c(*sendtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 1),
                     layer_bytes(*recvcount, PMPI_Type_f2c(*recvtype)) * (uint64_t)layer_degree(PMPI_Comm_f2c(*comm), 0));
    LAYER_PROFILED(ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(neighbor_alltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(neighbor_alltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_alltoallv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Neighbor_alltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_sum(sendcounts, layer_degree(PMPI_Comm_f2c(*comm), 1), PMPI_Type_f2c(*sendtype)),
                     layer_sum(recvcounts, layer_degree(PMPI_Comm_f2c(*comm), 0), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ineighbor_alltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ineighbor_alltoallv)(void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_alltoallv, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ineighbor_alltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_sum(sendcounts, layer_degree(PMPI_Comm_f2c(*comm), 1), PMPI_Type_f2c(*sendtype)),
                     layer_sum(recvcounts, layer_degree(PMPI_Comm_f2c(*comm), 0), PMPI_Type_f2c(*recvtype)));
    LAYER_PROFILED(ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(neighbor_alltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Aint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Aint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(neighbor_alltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Aint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Aint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_alltoallw, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Neighbor_alltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_sum_each(sendcounts, layer_degree(PMPI_Comm_f2c(*comm), 1), sendtypes, 1),
                     layer_sum_each(recvcounts, layer_degree(PMPI_Comm_f2c(*comm), 0), recvtypes, 1));
    LAYER_PROFILED(neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(ineighbor_alltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Aint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Aint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(ineighbor_alltoallw)(void *sendbuf, MPI_Fint *sendcounts, MPI_Aint *sdispls, MPI_Fint *sendtypes, void *recvbuf, MPI_Fint *recvcounts, MPI_Aint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_alltoallw, LAYER_CALLER);
    layer_collective(PMPI_Comm_f2c(*comm), LAYER_Ineighbor_alltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_sum_each(sendcounts, layer_degree(PMPI_Comm_f2c(*comm), 1), sendtypes, 1),
                     layer_sum_each(recvcounts, layer_degree(PMPI_Comm_f2c(*comm), 0), recvtypes, 1));
    LAYER_PROFILED(ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(reduce_local)(void *inbuf, void *inoutbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(reduce_local)(void *inbuf, void *inoutbuf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *op, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(reduce_local)(inbuf, inoutbuf, count, datatype, op, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Reduce_local, LAYER_CALLER);
    LAYER_PROFILED(reduce_local)(inbuf, inoutbuf, count, datatype, op, ierror);
    layer_leave(d);
}
#endif

void LAYER_PROFILED(comm_dup)(MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_dup)(MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_dup)(comm, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_dup, LAYER_CALLER);
    LAYER_PROFILED(comm_dup)(comm, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_dup_with_info)(MPI_Fint *comm, MPI_Fint *info, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_dup_with_info)(MPI_Fint *comm, MPI_Fint *info, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_dup_with_info)(comm, info, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_dup_with_info, LAYER_CALLER);
    LAYER_PROFILED(comm_dup_with_info)(comm, info, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_create)(MPI_Fint *comm, MPI_Fint *group, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_create)(MPI_Fint *comm, MPI_Fint *group, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_create)(comm, group, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_create, LAYER_CALLER);
    LAYER_PROFILED(comm_create)(comm, group, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_create_group)(MPI_Fint *comm, MPI_Fint *group, MPI_Fint *tag, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_create_group)(MPI_Fint *comm, MPI_Fint *group, MPI_Fint *tag, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_create_group)(comm, group, tag, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_create_group, LAYER_CALLER);
    LAYER_PROFILED(comm_create_group)(comm, group, tag, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_split)(MPI_Fint *comm, MPI_Fint *color, MPI_Fint *key, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_split)(MPI_Fint *comm, MPI_Fint *color, MPI_Fint *key, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_split)(comm, color, key, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_split, LAYER_CALLER);
    LAYER_PROFILED(comm_split)(comm, color, key, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_split_type)(MPI_Fint *comm, MPI_Fint *split_type, MPI_Fint *key, MPI_Fint *info, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_split_type)(MPI_Fint *comm, MPI_Fint *split_type, MPI_Fint *key, MPI_Fint *info, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_split_type)(comm, split_type, key, info, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_split_type, LAYER_CALLER);
    LAYER_PROFILED(comm_split_type)(comm, split_type, key, info, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_accept)(char *port_name, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *ierror, size_t port_name_length) LAYER_DECLARED;
LAYER_FORTRAN(comm_accept)(char *port_name, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *ierror, size_t port_name_length)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_accept)(port_name, info, root, comm, newcomm, ierror, port_name_length);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_accept, LAYER_CALLER);
    LAYER_PROFILED(comm_accept)(port_name, info, root, comm, newcomm, ierror, port_name_length);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_connect)(char *port_name, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *ierror, size_t port_name_length) LAYER_DECLARED;
LAYER_FORTRAN(comm_connect)(char *port_name, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *ierror, size_t port_name_length)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_connect)(port_name, info, root, comm, newcomm, ierror, port_name_length);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_connect, LAYER_CALLER);
    LAYER_PROFILED(comm_connect)(port_name, info, root, comm, newcomm, ierror, port_name_length);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_join)(MPI_Fint *fd, MPI_Fint *intercomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_join)(MPI_Fint *fd, MPI_Fint *intercomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_join)(fd, intercomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_join, LAYER_CALLER);
    LAYER_PROFILED(comm_join)(fd, intercomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*intercomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_spawn)(char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *array_of_errcodes, MPI_Fint *ierror, size_t command_length, size_t argv_length) LAYER_DECLARED;
LAYER_FORTRAN(comm_spawn)(char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *array_of_errcodes, MPI_Fint *ierror, size_t command_length, size_t argv_length)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_spawn)(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes, ierror, command_length, argv_length);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_spawn, LAYER_CALLER);
    LAYER_PROFILED(comm_spawn)(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes, ierror, command_length, argv_length);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*intercomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_spawn_multiple)(MPI_Fint *count, char *array_of_commands, char *array_of_argv, MPI_Fint *array_of_maxprocs, MPI_Fint *array_of_info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *array_of_errcodes, MPI_Fint *ierror, size_t array_of_commands_length, size_t array_of_argv_length) LAYER_DECLARED;
LAYER_FORTRAN(comm_spawn_multiple)(MPI_Fint *count, char *array_of_commands, char *array_of_argv, MPI_Fint *array_of_maxprocs, MPI_Fint *array_of_info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *array_of_errcodes, MPI_Fint *ierror, size_t array_of_commands_length, size_t array_of_argv_length)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_spawn_multiple)(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes, ierror, array_of_commands_length, array_of_argv_length);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_spawn_multiple, LAYER_CALLER);
    LAYER_PROFILED(comm_spawn_multiple)(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes, ierror, array_of_commands_length, array_of_argv_length);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*intercomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(intercomm_create)(MPI_Fint *local_comm, MPI_Fint *local_leader, MPI_Fint *bridge_comm, MPI_Fint *remote_leader, MPI_Fint *tag, MPI_Fint *newintercomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(intercomm_create)(MPI_Fint *local_comm, MPI_Fint *local_leader, MPI_Fint *bridge_comm, MPI_Fint *remote_leader, MPI_Fint *tag, MPI_Fint *newintercomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(intercomm_create)(local_comm, local_leader, bridge_comm, remote_leader, tag, newintercomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Intercomm_create, LAYER_CALLER);
    LAYER_PROFILED(intercomm_create)(local_comm, local_leader, bridge_comm, remote_leader, tag, newintercomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newintercomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(intercomm_merge)(MPI_Fint *intercomm, MPI_Fint *high, MPI_Fint *newintercomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(intercomm_merge)(MPI_Fint *intercomm, MPI_Fint *high, MPI_Fint *newintercomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(intercomm_merge)(intercomm, high, newintercomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Intercomm_merge, LAYER_CALLER);
    LAYER_PROFILED(intercomm_merge)(intercomm, high, newintercomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newintercomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(cart_create)(MPI_Fint *old_comm, MPI_Fint *ndims, MPI_Fint *dims, MPI_Fint *periods, MPI_Fint *reorder, MPI_Fint *comm_cart, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(cart_create)(MPI_Fint *old_comm, MPI_Fint *ndims, MPI_Fint *dims, MPI_Fint *periods, MPI_Fint *reorder, MPI_Fint *comm_cart, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(cart_create)(old_comm, ndims, dims, periods, reorder, comm_cart, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Cart_create, LAYER_CALLER);
    LAYER_PROFILED(cart_create)(old_comm, ndims, dims, periods, reorder, comm_cart, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*comm_cart));
    }
    layer_leave(d);
}

void LAYER_PROFILED(cart_sub)(MPI_Fint *comm, MPI_Fint *remain_dims, MPI_Fint *new_comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(cart_sub)(MPI_Fint *comm, MPI_Fint *remain_dims, MPI_Fint *new_comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(cart_sub)(comm, remain_dims, new_comm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Cart_sub, LAYER_CALLER);
    LAYER_PROFILED(cart_sub)(comm, remain_dims, new_comm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*new_comm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(graph_create)(MPI_Fint *comm_old, MPI_Fint *nnodes, MPI_Fint *index, MPI_Fint *edges, MPI_Fint *reorder, MPI_Fint *comm_graph, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(graph_create)(MPI_Fint *comm_old, MPI_Fint *nnodes, MPI_Fint *index, MPI_Fint *edges, MPI_Fint *reorder, MPI_Fint *comm_graph, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(graph_create)(comm_old, nnodes, index, edges, reorder, comm_graph, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Graph_create, LAYER_CALLER);
    LAYER_PROFILED(graph_create)(comm_old, nnodes, index, edges, reorder, comm_graph, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*comm_graph));
    }
    layer_leave(d);
}

void LAYER_PROFILED(dist_graph_create)(MPI_Fint *comm_old, MPI_Fint *n, MPI_Fint *nodes, MPI_Fint *degrees, MPI_Fint *targets, MPI_Fint *weights, MPI_Fint *info, MPI_Fint *reorder, MPI_Fint *newcomm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(dist_graph_create)(MPI_Fint *comm_old, MPI_Fint *n, MPI_Fint *nodes, MPI_Fint *degrees, MPI_Fint *targets, MPI_Fint *weights, MPI_Fint *info, MPI_Fint *reorder, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(dist_graph_create)(comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Dist_graph_create, LAYER_CALLER);
    LAYER_PROFILED(dist_graph_create)(comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*newcomm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(dist_graph_create_adjacent)(MPI_Fint *comm_old, MPI_Fint *indegree, MPI_Fint *sources, MPI_Fint *sourceweights, MPI_Fint *outdegree, MPI_Fint *destinations, MPI_Fint *destweights, MPI_Fint *info, MPI_Fint *reorder, MPI_Fint *comm_dist_graph, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(dist_graph_create_adjacent)(MPI_Fint *comm_old, MPI_Fint *indegree, MPI_Fint *sources, MPI_Fint *sourceweights, MPI_Fint *outdegree, MPI_Fint *destinations, MPI_Fint *destweights, MPI_Fint *info, MPI_Fint *reorder, MPI_Fint *comm_dist_graph, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(dist_graph_create_adjacent)(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Dist_graph_create_adjacent, LAYER_CALLER);
    LAYER_PROFILED(dist_graph_create_adjacent)(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_new(PMPI_Comm_f2c(*comm_dist_graph));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_idup)(MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_idup)(MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_idup)(comm, newcomm, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_idup, LAYER_CALLER);
    LAYER_PROFILED(comm_idup)(comm, newcomm, request, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(comm_set_name)(MPI_Fint *comm, char *comm_name, MPI_Fint *ierror, size_t comm_name_length) LAYER_DECLARED;
LAYER_FORTRAN(comm_set_name)(MPI_Fint *comm, char *comm_name, MPI_Fint *ierror, size_t comm_name_length)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(comm_set_name)(comm, comm_name, ierror, comm_name_length);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Comm_set_name, LAYER_CALLER);
    LAYER_PROFILED(comm_set_name)(comm, comm_name, ierror, comm_name_length);
    if (*ierror == MPI_SUCCESS) {
        layer_communicator_named(PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(comm_free)(MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_free)(MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    const int measured = layer_on();
    if (!(measured || layer_keeps())) {
        LAYER_PROFILED(comm_free)(comm, ierror);
        return;
    }
    struct ompregdescr *d = measured ? layer_enter(LAYER_Comm_free, LAYER_CALLER) : NULL;
    layer_communicator_freed(PMPI_Comm_f2c(*comm));
    LAYER_PROFILED(comm_free)(comm, ierror);
    if (measured)
        layer_leave(d);
}

void LAYER_PROFILED(comm_disconnect)(MPI_Fint *comm, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(comm_disconnect)(MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    const int measured = layer_on();
    if (!(measured || layer_keeps())) {
        LAYER_PROFILED(comm_disconnect)(comm, ierror);
        return;
    }
    struct ompregdescr *d = measured ? layer_enter(LAYER_Comm_disconnect, LAYER_CALLER) : NULL;
    layer_communicator_freed(PMPI_Comm_f2c(*comm));
    LAYER_PROFILED(comm_disconnect)(comm, ierror);
    if (measured)
        layer_leave(d);
}

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(put)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(put)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(put)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Put, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    LAYER_PROFILED(put)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(rput)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(rput)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(rput)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Rput, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    LAYER_PROFILED(rput)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(accumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(accumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(accumulate)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Accumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    LAYER_PROFILED(accumulate)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(raccumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(raccumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(raccumulate)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Raccumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    LAYER_PROFILED(raccumulate)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(get)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(get)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(get)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Get, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_GOT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    LAYER_PROFILED(get)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(rget)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(rget)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(rget)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Rget, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_GOT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    LAYER_PROFILED(rget)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(get_accumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, void *result_addr, MPI_Fint *result_count, MPI_Fint *result_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(get_accumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, void *result_addr, MPI_Fint *result_count, MPI_Fint *result_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(get_accumulate)(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Get_accumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    layer_accessed(POMP_MESSAGE_GOT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*result_count, PMPI_Type_f2c(*result_datatype)));
    LAYER_PROFILED(get_accumulate)(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(rget_accumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, void *result_addr, MPI_Fint *result_count, MPI_Fint *result_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(rget_accumulate)(void *origin_addr, MPI_Fint *origin_count, MPI_Fint *origin_datatype, void *result_addr, MPI_Fint *result_count, MPI_Fint *result_datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *target_count, MPI_Fint *target_datatype, MPI_Fint *op, MPI_Fint *win, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(rget_accumulate)(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Rget_accumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*origin_count, PMPI_Type_f2c(*origin_datatype)));
    layer_accessed(POMP_MESSAGE_GOT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(*result_count, PMPI_Type_f2c(*result_datatype)));
    LAYER_PROFILED(rget_accumulate)(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(fetch_and_op)(void *origin_addr, void *result_addr, MPI_Fint *datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *op, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(fetch_and_op)(void *origin_addr, void *result_addr, MPI_Fint *datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *op, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(fetch_and_op)(origin_addr, result_addr, datatype, target_rank, target_disp, op, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Fetch_and_op, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(1, PMPI_Type_f2c(*datatype)));
    layer_accessed(POMP_MESSAGE_GOT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(1, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(fetch_and_op)(origin_addr, result_addr, datatype, target_rank, target_disp, op, win, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(compare_and_swap)(void *origin_addr, void *compare_addr, void *result_addr, MPI_Fint *datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(compare_and_swap)(void *origin_addr, void *compare_addr, void *result_addr, MPI_Fint *datatype, MPI_Fint *target_rank, MPI_Aint *target_disp, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(compare_and_swap)(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Compare_and_swap, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(1, PMPI_Type_f2c(*datatype)));
    layer_accessed(POMP_MESSAGE_GOT, PMPI_Win_f2c(*win), *target_rank, layer_bytes(1, PMPI_Type_f2c(*datatype)));
    LAYER_PROFILED(compare_and_swap)(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(win_create)(void *base, MPI_Aint *size, MPI_Fint *disp_unit, MPI_Fint *info, MPI_Fint *comm, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_create)(void *base, MPI_Aint *size, MPI_Fint *disp_unit, MPI_Fint *info, MPI_Fint *comm, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_create)(base, size, disp_unit, info, comm, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_create, LAYER_CALLER);
    LAYER_PROFILED(win_create)(base, size, disp_unit, info, comm, win, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_window_new(PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}
#endif

void LAYER_PROFILED(win_allocate)(MPI_Aint *size, MPI_Fint *disp_unit, MPI_Fint *info, MPI_Fint *comm, void *baseptr, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_allocate)(MPI_Aint *size, MPI_Fint *disp_unit, MPI_Fint *info, MPI_Fint *comm, void *baseptr, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_allocate)(size, disp_unit, info, comm, baseptr, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_allocate, LAYER_CALLER);
    LAYER_PROFILED(win_allocate)(size, disp_unit, info, comm, baseptr, win, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_window_new(PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(win_allocate_shared)(MPI_Aint *size, MPI_Fint *disp_unit, MPI_Fint *info, MPI_Fint *comm, void *baseptr, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_allocate_shared)(MPI_Aint *size, MPI_Fint *disp_unit, MPI_Fint *info, MPI_Fint *comm, void *baseptr, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_allocate_shared)(size, disp_unit, info, comm, baseptr, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_allocate_shared, LAYER_CALLER);
    LAYER_PROFILED(win_allocate_shared)(size, disp_unit, info, comm, baseptr, win, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_window_new(PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(win_create_dynamic)(MPI_Fint *info, MPI_Fint *comm, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_create_dynamic)(MPI_Fint *info, MPI_Fint *comm, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_create_dynamic)(info, comm, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_create_dynamic, LAYER_CALLER);
    LAYER_PROFILED(win_create_dynamic)(info, comm, win, ierror);
    if (*ierror == MPI_SUCCESS) {
        layer_window_new(PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm));
    }
    layer_leave(d);
}

void LAYER_PROFILED(win_free)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_free)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    const int measured = layer_on();
    if (!(measured || layer_keeps())) {
        LAYER_PROFILED(win_free)(win, ierror);
        return;
    }
    struct ompregdescr *d = measured ? layer_enter(LAYER_Win_free, LAYER_CALLER) : NULL;
    layer_window_freed(PMPI_Win_f2c(*win));
    LAYER_PROFILED(win_free)(win, ierror);
    if (measured)
        layer_leave(d);
}

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(win_attach)(MPI_Fint *win, void *base, MPI_Aint *size, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_attach)(MPI_Fint *win, void *base, MPI_Aint *size, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_attach)(win, base, size, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_attach, LAYER_CALLER);
    LAYER_PROFILED(win_attach)(win, base, size, ierror);
    layer_leave(d);
}
#endif

#ifndef LAYER_DESCRIPTORS
void LAYER_PROFILED(win_detach)(MPI_Fint *win, void *base, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_detach)(MPI_Fint *win, void *base, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_detach)(win, base, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_detach, LAYER_CALLER);
    LAYER_PROFILED(win_detach)(win, base, ierror);
    layer_leave(d);
}
#endif

void LAYER_PROFILED(win_fence)(MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_fence)(MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_fence)(assert, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_fence, LAYER_CALLER);
    LAYER_PROFILED(win_fence)(assert, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_start)(MPI_Fint *group, MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_start)(MPI_Fint *group, MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_start)(group, assert, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_start, LAYER_CALLER);
    LAYER_PROFILED(win_start)(group, assert, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_complete)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_complete)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_complete)(win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_complete, LAYER_CALLER);
    LAYER_PROFILED(win_complete)(win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_post)(MPI_Fint *group, MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_post)(MPI_Fint *group, MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_post)(group, assert, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_post, LAYER_CALLER);
    LAYER_PROFILED(win_post)(group, assert, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_wait)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_wait)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_wait)(win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_wait, LAYER_CALLER);
    LAYER_PROFILED(win_wait)(win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_test)(MPI_Fint *win, MPI_Fint *flag, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_test)(MPI_Fint *win, MPI_Fint *flag, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_test)(win, flag, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_test, LAYER_CALLER);
    LAYER_PROFILED(win_test)(win, flag, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_lock)(MPI_Fint *lock_type, MPI_Fint *rank, MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_lock)(MPI_Fint *lock_type, MPI_Fint *rank, MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_lock)(lock_type, rank, assert, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_lock, LAYER_CALLER);
    LAYER_PROFILED(win_lock)(lock_type, rank, assert, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_lock_all)(MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_lock_all)(MPI_Fint *assert, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_lock_all)(assert, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_lock_all, LAYER_CALLER);
    LAYER_PROFILED(win_lock_all)(assert, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_unlock)(MPI_Fint *rank, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_unlock)(MPI_Fint *rank, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_unlock)(rank, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_unlock, LAYER_CALLER);
    LAYER_PROFILED(win_unlock)(rank, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_unlock_all)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_unlock_all)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_unlock_all)(win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_unlock_all, LAYER_CALLER);
    LAYER_PROFILED(win_unlock_all)(win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_flush)(MPI_Fint *rank, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_flush)(MPI_Fint *rank, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_flush)(rank, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_flush, LAYER_CALLER);
    LAYER_PROFILED(win_flush)(rank, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_flush_all)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_flush_all)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_flush_all)(win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_flush_all, LAYER_CALLER);
    LAYER_PROFILED(win_flush_all)(win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_flush_local)(MPI_Fint *rank, MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_flush_local)(MPI_Fint *rank, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_flush_local)(rank, win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_flush_local, LAYER_CALLER);
    LAYER_PROFILED(win_flush_local)(rank, win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_flush_local_all)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_flush_local_all)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_flush_local_all)(win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_flush_local_all, LAYER_CALLER);
    LAYER_PROFILED(win_flush_local_all)(win, ierror);
    layer_leave(d);
}

void LAYER_PROFILED(win_sync)(MPI_Fint *win, MPI_Fint *ierror) LAYER_DECLARED;
LAYER_FORTRAN(win_sync)(MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Fint missing;
    if (ierror == NULL)
        ierror = &missing;
    if (!(layer_on())) {
        LAYER_PROFILED(win_sync)(win, ierror);
        return;
    }
    struct ompregdescr *d = layer_enter(LAYER_Win_sync, LAYER_CALLER);
    LAYER_PROFILED(win_sync)(win, ierror);
    layer_leave(d);
}
