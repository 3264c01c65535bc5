/* Generated from the table of routines (internal/mpi/table.go); do not edit, run go generate ./internal/mpi. */

#include "layer.h"

LAYER_API int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Send(buf, count, datatype, dest, tag, comm);
    struct ompregdescr *d = layer_enter(LAYER_Send, LAYER_CALLER);
    layer_sent(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Send(buf, count, datatype, dest, tag, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Bsend(buf, count, datatype, dest, tag, comm);
    struct ompregdescr *d = layer_enter(LAYER_Bsend, LAYER_CALLER);
    layer_sent(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Bsend(buf, count, datatype, dest, tag, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Ssend(buf, count, datatype, dest, tag, comm);
    struct ompregdescr *d = layer_enter(LAYER_Ssend, LAYER_CALLER);
    layer_sent(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Ssend(buf, count, datatype, dest, tag, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Rsend(const void *ibuf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Rsend(ibuf, count, datatype, dest, tag, comm);
    struct ompregdescr *d = layer_enter(LAYER_Rsend, LAYER_CALLER);
    layer_sent(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Rsend(ibuf, count, datatype, dest, tag, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Isend(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Isend, LAYER_CALLER);
    const uint64_t number = layer_sending(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Isend(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_sent(*request, number);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ibsend(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ibsend, LAYER_CALLER);
    const uint64_t number = layer_sending(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Ibsend(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_sent(*request, number);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Issend(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Issend, LAYER_CALLER);
    const uint64_t number = layer_sending(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Issend(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_sent(*request, number);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Irsend(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Irsend, LAYER_CALLER);
    const uint64_t number = layer_sending(comm, dest, tag, layer_bytes(count, datatype));
    const int error = PMPI_Irsend(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_sent(*request, number);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Send_init(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Send_init, LAYER_CALLER);
    const int error = PMPI_Send_init(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_new(*request, LAYER_PERSISTENT_SEND, comm, dest, tag, layer_bytes(count, datatype));
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Bsend_init(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Bsend_init, LAYER_CALLER);
    const int error = PMPI_Bsend_init(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_new(*request, LAYER_PERSISTENT_SEND, comm, dest, tag, layer_bytes(count, datatype));
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ssend_init(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ssend_init, LAYER_CALLER);
    const int error = PMPI_Ssend_init(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_new(*request, LAYER_PERSISTENT_SEND, comm, dest, tag, layer_bytes(count, datatype));
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Rsend_init(buf, count, datatype, dest, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Rsend_init, LAYER_CALLER);
    const int error = PMPI_Rsend_init(buf, count, datatype, dest, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_new(*request, LAYER_PERSISTENT_SEND, comm, dest, tag, layer_bytes(count, datatype));
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!layer_on())
        return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
    struct ompregdescr *d = layer_enter(LAYER_Recv, LAYER_CALLER);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const int error = PMPI_Recv(buf, count, datatype, source, tag, comm, status);
    if (error == MPI_SUCCESS) {
        layer_received(comm, status);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Irecv, LAYER_CALLER);
    const int error = PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_new(*request, LAYER_RECEIVE, comm, source, 0, 0);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Recv_init(buf, count, datatype, source, tag, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Recv_init, LAYER_CALLER);
    const int error = PMPI_Recv_init(buf, count, datatype, source, tag, comm, request);
    if (error == MPI_SUCCESS) {
        layer_request_new(*request, LAYER_PERSISTENT_RECEIVE, comm, source, 0, 0);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!layer_on())
        return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
    struct ompregdescr *d = layer_enter(LAYER_Sendrecv, LAYER_CALLER);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    layer_sent(comm, dest, sendtag, layer_bytes(sendcount, sendtype));
    const int error = PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
    if (error == MPI_SUCCESS) {
        layer_received(comm, status);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!layer_on())
        return PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    struct ompregdescr *d = layer_enter(LAYER_Sendrecv_replace, LAYER_CALLER);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    layer_sent(comm, dest, sendtag, layer_bytes(count, datatype));
    const int error = PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    if (error == MPI_SUCCESS) {
        layer_received(comm, status);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Start(MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Start(request);
    struct ompregdescr *d = layer_enter(LAYER_Start, LAYER_CALLER);
    layer_start(*request);
    const int error = PMPI_Start(request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Startall(int count, MPI_Request array_of_requests[])
{
    if (!layer_on())
        return PMPI_Startall(count, array_of_requests);
    struct ompregdescr *d = layer_enter(LAYER_Startall, LAYER_CALLER);
    for (int i = 0; i < count; i++)
        layer_start(array_of_requests[i]);
    const int error = PMPI_Startall(count, array_of_requests);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (!layer_on())
        return PMPI_Probe(source, tag, comm, status);
    struct ompregdescr *d = layer_enter(LAYER_Probe, LAYER_CALLER);
    const int error = PMPI_Probe(source, tag, comm, status);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    if (!layer_on())
        return PMPI_Iprobe(source, tag, comm, flag, status);
    struct ompregdescr *d = layer_enter(LAYER_Iprobe, LAYER_CALLER);
    const int error = PMPI_Iprobe(source, tag, comm, flag, status);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    if (!layer_on())
        return PMPI_Mprobe(source, tag, comm, message, status);
    struct ompregdescr *d = layer_enter(LAYER_Mprobe, LAYER_CALLER);
    const int error = PMPI_Mprobe(source, tag, comm, message, status);
    if (error == MPI_SUCCESS) {
        layer_message_new(*message, comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    if (!layer_on())
        return PMPI_Improbe(source, tag, comm, flag, message, status);
    struct ompregdescr *d = layer_enter(LAYER_Improbe, LAYER_CALLER);
    const int error = PMPI_Improbe(source, tag, comm, flag, message, status);
    if (error == MPI_SUCCESS) {
        if (*flag != 0)
            layer_message_new(*message, comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own;
    const int measured = layer_on();
    if (!measured && !layer_keeps())
        return PMPI_Mrecv(buf, count, type, message, status);
    struct ompregdescr *d = measured ? layer_enter(LAYER_Mrecv, LAYER_CALLER) : NULL;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const unsigned communicator = layer_message_take(*message);
    const int error = PMPI_Mrecv(buf, count, type, message, status);
    if (error == MPI_SUCCESS) {
        layer_received_by(communicator, status, 0);
    }
    if (measured)
        layer_leave(d);
    return error;
}

LAYER_API int MPI_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    const int measured = layer_on();
    if (!measured && !layer_keeps())
        return PMPI_Imrecv(buf, count, type, message, request);
    struct ompregdescr *d = measured ? layer_enter(LAYER_Imrecv, LAYER_CALLER) : NULL;
    const unsigned communicator = layer_message_take(*message);
    const int error = PMPI_Imrecv(buf, count, type, message, request);
    if (error == MPI_SUCCESS) {
        layer_request_of(*request, LAYER_RECEIVE, communicator, 0, 0, 0);
    }
    if (measured)
        layer_leave(d);
    return error;
}

LAYER_API int MPI_Request_free(MPI_Request *request)
{
    const int measured = layer_on();
    if (!measured && !layer_keeps())
        return PMPI_Request_free(request);
    struct ompregdescr *d = measured ? layer_enter(LAYER_Request_free, LAYER_CALLER) : NULL;
    layer_request_freed(*request);
    const int error = PMPI_Request_free(request);
    if (measured)
        layer_leave(d);
    return error;
}

LAYER_API int MPI_Cancel(MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Cancel(request);
    struct ompregdescr *d = layer_enter(LAYER_Cancel, LAYER_CALLER);
    const int error = PMPI_Cancel(request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    if (!layer_on())
        return PMPI_Request_get_status(request, flag, status);
    struct ompregdescr *d = layer_enter(LAYER_Request_get_status, LAYER_CALLER);
    const int error = PMPI_Request_get_status(request, flag, status);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Buffer_attach(void *buffer, int size)
{
    if (!layer_on())
        return PMPI_Buffer_attach(buffer, size);
    struct ompregdescr *d = layer_enter(LAYER_Buffer_attach, LAYER_CALLER);
    const int error = PMPI_Buffer_attach(buffer, size);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Buffer_detach(void *buffer, int *size)
{
    if (!layer_on())
        return PMPI_Buffer_detach(buffer, size);
    struct ompregdescr *d = layer_enter(LAYER_Buffer_detach, LAYER_CALLER);
    const int error = PMPI_Buffer_detach(buffer, size);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Barrier(MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Barrier(comm);
    struct ompregdescr *d = layer_enter(LAYER_Barrier, LAYER_CALLER);
    layer_collective(comm, LAYER_Barrier, LAYER_BARRIER, -1,
                     0,
                     0);
    const int error = PMPI_Barrier(comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ibarrier(comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ibarrier, LAYER_CALLER);
    layer_collective(comm, LAYER_Ibarrier, LAYER_BARRIER, -1,
                     0,
                     0);
    const int error = PMPI_Ibarrier(comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Bcast(buffer, count, datatype, root, comm);
    struct ompregdescr *d = layer_enter(LAYER_Bcast, LAYER_CALLER);
    layer_collective(comm, LAYER_Bcast, LAYER_ONE_TO_ALL, root,
                     layer_is_root(root, comm) ? layer_bytes(count, datatype) : 0,
                     layer_is_root(root, comm) ? 0 : layer_bytes(count, datatype));
    const int error = PMPI_Bcast(buffer, count, datatype, root, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ibcast(buffer, count, datatype, root, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ibcast, LAYER_CALLER);
    layer_collective(comm, LAYER_Ibcast, LAYER_ONE_TO_ALL, root,
                     layer_is_root(root, comm) ? layer_bytes(count, datatype) : 0,
                     layer_is_root(root, comm) ? 0 : layer_bytes(count, datatype));
    const int error = PMPI_Ibcast(buffer, count, datatype, root, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    struct ompregdescr *d = layer_enter(LAYER_Gather, LAYER_CALLER);
    layer_collective(comm, LAYER_Gather, LAYER_ALL_TO_ONE, root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(sendcount, sendtype),
                     layer_is_root(root, comm) ? layer_bytes(recvcount, recvtype) * (uint64_t)layer_size(comm) : 0);
    const int error = PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Igather, LAYER_CALLER);
    layer_collective(comm, LAYER_Igather, LAYER_ALL_TO_ONE, root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(sendcount, sendtype),
                     layer_is_root(root, comm) ? layer_bytes(recvcount, recvtype) * (uint64_t)layer_size(comm) : 0);
    const int error = PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    struct ompregdescr *d = layer_enter(LAYER_Gatherv, LAYER_CALLER);
    layer_collective(comm, LAYER_Gatherv, LAYER_ALL_TO_ONE, root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(sendcount, sendtype),
                     layer_is_root(root, comm) ? layer_sum(recvcounts, layer_size(comm), recvtype) : 0);
    const int error = PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Igatherv, LAYER_CALLER);
    layer_collective(comm, LAYER_Igatherv, LAYER_ALL_TO_ONE, root,
                     layer_in_place(sendbuf) ? 0 : layer_bytes(sendcount, sendtype),
                     layer_is_root(root, comm) ? layer_sum(recvcounts, layer_size(comm), recvtype) : 0);
    const int error = PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    struct ompregdescr *d = layer_enter(LAYER_Scatter, LAYER_CALLER);
    layer_collective(comm, LAYER_Scatter, LAYER_ONE_TO_ALL, root,
                     layer_is_root(root, comm) ? layer_bytes(sendcount, sendtype) * (uint64_t)layer_size(comm) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(recvcount, recvtype));
    const int error = PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iscatter, LAYER_CALLER);
    layer_collective(comm, LAYER_Iscatter, LAYER_ONE_TO_ALL, root,
                     layer_is_root(root, comm) ? layer_bytes(sendcount, sendtype) * (uint64_t)layer_size(comm) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(recvcount, recvtype));
    const int error = PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    struct ompregdescr *d = layer_enter(LAYER_Scatterv, LAYER_CALLER);
    layer_collective(comm, LAYER_Scatterv, LAYER_ONE_TO_ALL, root,
                     layer_is_root(root, comm) ? layer_sum(sendcounts, layer_size(comm), sendtype) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(recvcount, recvtype));
    const int error = PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iscatterv, LAYER_CALLER);
    layer_collective(comm, LAYER_Iscatterv, LAYER_ONE_TO_ALL, root,
                     layer_is_root(root, comm) ? layer_sum(sendcounts, layer_size(comm), sendtype) : 0,
                     layer_in_place(recvbuf) ? 0 : layer_bytes(recvcount, recvtype));
    const int error = PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Allgather, LAYER_CALLER);
    layer_collective(comm, LAYER_Allgather, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(recvcount, recvtype) : layer_bytes(sendcount, sendtype),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_size(comm));
    const int error = PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iallgather, LAYER_CALLER);
    layer_collective(comm, LAYER_Iallgather, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(recvcount, recvtype) : layer_bytes(sendcount, sendtype),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_size(comm));
    const int error = PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Allgatherv, LAYER_CALLER);
    layer_collective(comm, LAYER_Allgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(recvcounts[layer_rank(comm)], recvtype) : layer_bytes(sendcount, sendtype),
                     layer_sum(recvcounts, layer_size(comm), recvtype));
    const int error = PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iallgatherv, LAYER_CALLER);
    layer_collective(comm, LAYER_Iallgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_bytes(recvcounts[layer_rank(comm)], recvtype) : layer_bytes(sendcount, sendtype),
                     layer_sum(recvcounts, layer_size(comm), recvtype));
    const int error = PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Alltoall, LAYER_CALLER);
    layer_collective(comm, LAYER_Alltoall, LAYER_ALL_TO_ALL, -1,
                     (layer_in_place(sendbuf) ? layer_bytes(recvcount, recvtype) : layer_bytes(sendcount, sendtype)) * (uint64_t)layer_size(comm),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_size(comm));
    const int error = PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ialltoall, LAYER_CALLER);
    layer_collective(comm, LAYER_Ialltoall, LAYER_ALL_TO_ALL, -1,
                     (layer_in_place(sendbuf) ? layer_bytes(recvcount, recvtype) : layer_bytes(sendcount, sendtype)) * (uint64_t)layer_size(comm),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_size(comm));
    const int error = PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Alltoallv, LAYER_CALLER);
    layer_collective(comm, LAYER_Alltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum(recvcounts, layer_size(comm), recvtype) : layer_sum(sendcounts, layer_size(comm), sendtype),
                     layer_sum(recvcounts, layer_size(comm), recvtype));
    const int error = PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ialltoallv, LAYER_CALLER);
    layer_collective(comm, LAYER_Ialltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum(recvcounts, layer_size(comm), recvtype) : layer_sum(sendcounts, layer_size(comm), sendtype),
                     layer_sum(recvcounts, layer_size(comm), recvtype));
    const int error = PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    struct ompregdescr *d = layer_enter(LAYER_Alltoallw, LAYER_CALLER);
    layer_collective(comm, LAYER_Alltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum_each(recvcounts, layer_size(comm), recvtypes, 0) : layer_sum_each(sendcounts, layer_size(comm), sendtypes, 0),
                     layer_sum_each(recvcounts, layer_size(comm), recvtypes, 0));
    const int error = PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ialltoallw, LAYER_CALLER);
    layer_collective(comm, LAYER_Ialltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_in_place(sendbuf) ? layer_sum_each(recvcounts, layer_size(comm), recvtypes, 0) : layer_sum_each(sendcounts, layer_size(comm), sendtypes, 0),
                     layer_sum_each(recvcounts, layer_size(comm), recvtypes, 0));
    const int error = PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
    struct ompregdescr *d = layer_enter(LAYER_Reduce, LAYER_CALLER);
    layer_collective(comm, LAYER_Reduce, LAYER_ALL_TO_ONE, root,
                     layer_bytes(count, datatype),
                     layer_is_root(root, comm) ? layer_bytes(count, datatype) : 0);
    const int error = PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ireduce, LAYER_CALLER);
    layer_collective(comm, LAYER_Ireduce, LAYER_ALL_TO_ONE, root,
                     layer_bytes(count, datatype),
                     layer_is_root(root, comm) ? layer_bytes(count, datatype) : 0);
    const int error = PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    struct ompregdescr *d = layer_enter(LAYER_Allreduce, LAYER_CALLER);
    layer_collective(comm, LAYER_Allreduce, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(count, datatype),
                     layer_bytes(count, datatype));
    const int error = PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iallreduce, LAYER_CALLER);
    layer_collective(comm, LAYER_Iallreduce, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(count, datatype),
                     layer_bytes(count, datatype));
    const int error = PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    struct ompregdescr *d = layer_enter(LAYER_Reduce_scatter, LAYER_CALLER);
    layer_collective(comm, LAYER_Reduce_scatter, LAYER_ALL_TO_ALL, -1,
                     layer_sum(recvcounts, layer_size(comm), datatype),
                     layer_bytes(recvcounts[layer_rank(comm)], datatype));
    const int error = PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ireduce_scatter, LAYER_CALLER);
    layer_collective(comm, LAYER_Ireduce_scatter, LAYER_ALL_TO_ALL, -1,
                     layer_sum(recvcounts, layer_size(comm), datatype),
                     layer_bytes(recvcounts[layer_rank(comm)], datatype));
    const int error = PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
    struct ompregdescr *d = layer_enter(LAYER_Reduce_scatter_block, LAYER_CALLER);
    layer_collective(comm, LAYER_Reduce_scatter_block, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(recvcount, datatype) * (uint64_t)layer_size(comm),
                     layer_bytes(recvcount, datatype));
    const int error = PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ireduce_scatter_block, LAYER_CALLER);
    layer_collective(comm, LAYER_Ireduce_scatter_block, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(recvcount, datatype) * (uint64_t)layer_size(comm),
                     layer_bytes(recvcount, datatype));
    const int error = PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm);
    struct ompregdescr *d = layer_enter(LAYER_Scan, LAYER_CALLER);
    layer_collective(comm, LAYER_Scan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(count, datatype),
                     layer_bytes(count, datatype));
    const int error = PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iscan, LAYER_CALLER);
    layer_collective(comm, LAYER_Iscan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(count, datatype),
                     layer_bytes(count, datatype));
    const int error = PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm);
    struct ompregdescr *d = layer_enter(LAYER_Exscan, LAYER_CALLER);
    layer_collective(comm, LAYER_Exscan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(count, datatype),
                     layer_rank(comm) > 0 ? layer_bytes(count, datatype) : 0);
    const int error = PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Iexscan, LAYER_CALLER);
    layer_collective(comm, LAYER_Iexscan, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(count, datatype),
                     layer_rank(comm) > 0 ? layer_bytes(count, datatype) : 0);
    const int error = PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_allgather, LAYER_CALLER);
    layer_collective(comm, LAYER_Neighbor_allgather, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(sendcount, sendtype) * (uint64_t)layer_degree(comm, 1),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_degree(comm, 0));
    const int error = PMPI_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_allgather, LAYER_CALLER);
    layer_collective(comm, LAYER_Ineighbor_allgather, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(sendcount, sendtype) * (uint64_t)layer_degree(comm, 1),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_degree(comm, 0));
    const int error = PMPI_Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_allgatherv, LAYER_CALLER);
    layer_collective(comm, LAYER_Neighbor_allgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(sendcount, sendtype) * (uint64_t)layer_degree(comm, 1),
                     layer_sum(recvcounts, layer_degree(comm, 0), recvtype));
    const int error = PMPI_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_allgatherv, LAYER_CALLER);
    layer_collective(comm, LAYER_Ineighbor_allgatherv, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(sendcount, sendtype) * (uint64_t)layer_degree(comm, 1),
                     layer_sum(recvcounts, layer_degree(comm, 0), recvtype));
    const int error = PMPI_Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_alltoall, LAYER_CALLER);
    layer_collective(comm, LAYER_Neighbor_alltoall, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(sendcount, sendtype) * (uint64_t)layer_degree(comm, 1),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_degree(comm, 0));
    const int error = PMPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_alltoall, LAYER_CALLER);
    layer_collective(comm, LAYER_Ineighbor_alltoall, LAYER_ALL_TO_ALL, -1,
                     layer_bytes(sendcount, sendtype) * (uint64_t)layer_degree(comm, 1),
                     layer_bytes(recvcount, recvtype) * (uint64_t)layer_degree(comm, 0));
    const int error = PMPI_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_alltoallv, LAYER_CALLER);
    layer_collective(comm, LAYER_Neighbor_alltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_sum(sendcounts, layer_degree(comm, 1), sendtype),
                     layer_sum(recvcounts, layer_degree(comm, 0), recvtype));
    const int error = PMPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_alltoallv, LAYER_CALLER);
    layer_collective(comm, LAYER_Ineighbor_alltoallv, LAYER_ALL_TO_ALL, -1,
                     layer_sum(sendcounts, layer_degree(comm, 1), sendtype),
                     layer_sum(recvcounts, layer_degree(comm, 0), recvtype));
    const int error = PMPI_Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    if (!layer_on())
        return PMPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    struct ompregdescr *d = layer_enter(LAYER_Neighbor_alltoallw, LAYER_CALLER);
    layer_collective(comm, LAYER_Neighbor_alltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_sum_each(sendcounts, layer_degree(comm, 1), sendtypes, 0),
                     layer_sum_each(recvcounts, layer_degree(comm, 0), recvtypes, 0));
    const int error = PMPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    struct ompregdescr *d = layer_enter(LAYER_Ineighbor_alltoallw, LAYER_CALLER);
    layer_collective(comm, LAYER_Ineighbor_alltoallw, LAYER_ALL_TO_ALL, -1,
                     layer_sum_each(sendcounts, layer_degree(comm, 1), sendtypes, 0),
                     layer_sum_each(recvcounts, layer_degree(comm, 0), recvtypes, 0));
    const int error = PMPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    if (!layer_on())
        return PMPI_Reduce_local(inbuf, inoutbuf, count, datatype, op);
    struct ompregdescr *d = layer_enter(LAYER_Reduce_local, LAYER_CALLER);
    const int error = PMPI_Reduce_local(inbuf, inoutbuf, count, datatype, op);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_dup(comm, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_dup, LAYER_CALLER);
    const int error = PMPI_Comm_dup(comm, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_dup_with_info(comm, info, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_dup_with_info, LAYER_CALLER);
    const int error = PMPI_Comm_dup_with_info(comm, info, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_create(comm, group, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_create, LAYER_CALLER);
    const int error = PMPI_Comm_create(comm, group, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_create_group(comm, group, tag, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_create_group, LAYER_CALLER);
    const int error = PMPI_Comm_create_group(comm, group, tag, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_split(comm, color, key, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_split, LAYER_CALLER);
    const int error = PMPI_Comm_split(comm, color, key, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_split_type, LAYER_CALLER);
    const int error = PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_accept(port_name, info, root, comm, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_accept, LAYER_CALLER);
    const int error = PMPI_Comm_accept(port_name, info, root, comm, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Comm_connect(port_name, info, root, comm, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_connect, LAYER_CALLER);
    const int error = PMPI_Comm_connect(port_name, info, root, comm, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_join(int fd, MPI_Comm *intercomm)
{
    if (!layer_on())
        return PMPI_Comm_join(fd, intercomm);
    struct ompregdescr *d = layer_enter(LAYER_Comm_join, LAYER_CALLER);
    const int error = PMPI_Comm_join(fd, intercomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*intercomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    if (!layer_on())
        return PMPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    struct ompregdescr *d = layer_enter(LAYER_Comm_spawn, LAYER_CALLER);
    const int error = PMPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*intercomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    if (!layer_on())
        return PMPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes);
    struct ompregdescr *d = layer_enter(LAYER_Comm_spawn_multiple, LAYER_CALLER);
    const int error = PMPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*intercomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm bridge_comm, int remote_leader, int tag, MPI_Comm *newintercomm)
{
    if (!layer_on())
        return PMPI_Intercomm_create(local_comm, local_leader, bridge_comm, remote_leader, tag, newintercomm);
    struct ompregdescr *d = layer_enter(LAYER_Intercomm_create, LAYER_CALLER);
    const int error = PMPI_Intercomm_create(local_comm, local_leader, bridge_comm, remote_leader, tag, newintercomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newintercomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintercomm)
{
    if (!layer_on())
        return PMPI_Intercomm_merge(intercomm, high, newintercomm);
    struct ompregdescr *d = layer_enter(LAYER_Intercomm_merge, LAYER_CALLER);
    const int error = PMPI_Intercomm_merge(intercomm, high, newintercomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newintercomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Cart_create(MPI_Comm old_comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart)
{
    if (!layer_on())
        return PMPI_Cart_create(old_comm, ndims, dims, periods, reorder, comm_cart);
    struct ompregdescr *d = layer_enter(LAYER_Cart_create, LAYER_CALLER);
    const int error = PMPI_Cart_create(old_comm, ndims, dims, periods, reorder, comm_cart);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*comm_cart);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *new_comm)
{
    if (!layer_on())
        return PMPI_Cart_sub(comm, remain_dims, new_comm);
    struct ompregdescr *d = layer_enter(LAYER_Cart_sub, LAYER_CALLER);
    const int error = PMPI_Cart_sub(comm, remain_dims, new_comm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*new_comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm *comm_graph)
{
    if (!layer_on())
        return PMPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph);
    struct ompregdescr *d = layer_enter(LAYER_Graph_create, LAYER_CALLER);
    const int error = PMPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*comm_graph);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int nodes[], const int degrees[], const int targets[], const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm)
{
    if (!layer_on())
        return PMPI_Dist_graph_create(comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm);
    struct ompregdescr *d = layer_enter(LAYER_Dist_graph_create, LAYER_CALLER);
    const int error = PMPI_Dist_graph_create(comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*newcomm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)
{
    if (!layer_on())
        return PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph);
    struct ompregdescr *d = layer_enter(LAYER_Dist_graph_create_adjacent, LAYER_CALLER);
    const int error = PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph);
    if (error == MPI_SUCCESS) {
        layer_communicator_new(*comm_dist_graph);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Comm_idup(comm, newcomm, request);
    struct ompregdescr *d = layer_enter(LAYER_Comm_idup, LAYER_CALLER);
    const int error = PMPI_Comm_idup(comm, newcomm, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    if (!layer_on())
        return PMPI_Comm_set_name(comm, comm_name);
    struct ompregdescr *d = layer_enter(LAYER_Comm_set_name, LAYER_CALLER);
    const int error = PMPI_Comm_set_name(comm, comm_name);
    if (error == MPI_SUCCESS) {
        layer_communicator_named(comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_free(MPI_Comm *comm)
{
    const int measured = layer_on();
    if (!measured && !layer_keeps())
        return PMPI_Comm_free(comm);
    struct ompregdescr *d = measured ? layer_enter(LAYER_Comm_free, LAYER_CALLER) : NULL;
    layer_communicator_freed(*comm);
    const int error = PMPI_Comm_free(comm);
    if (measured)
        layer_leave(d);
    return error;
}

LAYER_API int MPI_Comm_disconnect(MPI_Comm *comm)
{
    const int measured = layer_on();
    if (!measured && !layer_keeps())
        return PMPI_Comm_disconnect(comm);
    struct ompregdescr *d = measured ? layer_enter(LAYER_Comm_disconnect, LAYER_CALLER) : NULL;
    layer_communicator_freed(*comm);
    const int error = PMPI_Comm_disconnect(comm);
    if (measured)
        layer_leave(d);
    return error;
}

LAYER_API int MPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
    struct ompregdescr *d = layer_enter(LAYER_Put, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    const int error = PMPI_Put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Rput(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
    struct ompregdescr *d = layer_enter(LAYER_Rput, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    const int error = PMPI_Rput(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
    struct ompregdescr *d = layer_enter(LAYER_Accumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    const int error = PMPI_Accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Raccumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
    struct ompregdescr *d = layer_enter(LAYER_Raccumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    const int error = PMPI_Raccumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
    struct ompregdescr *d = layer_enter(LAYER_Get, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_GOT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    const int error = PMPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Rget(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
    struct ompregdescr *d = layer_enter(LAYER_Rget, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_GOT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    const int error = PMPI_Rget(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
    struct ompregdescr *d = layer_enter(LAYER_Get_accumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    layer_accessed(POMP_MESSAGE_GOT, win, target_rank, layer_bytes(result_count, result_datatype));
    const int error = PMPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    if (!layer_on())
        return PMPI_Rget_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
    struct ompregdescr *d = layer_enter(LAYER_Rget_accumulate, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(origin_count, origin_datatype));
    layer_accessed(POMP_MESSAGE_GOT, win, target_rank, layer_bytes(result_count, result_datatype));
    const int error = PMPI_Rget_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
    struct ompregdescr *d = layer_enter(LAYER_Fetch_and_op, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(1, datatype));
    layer_accessed(POMP_MESSAGE_GOT, win, target_rank, layer_bytes(1, datatype));
    const int error = PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win);
    struct ompregdescr *d = layer_enter(LAYER_Compare_and_swap, LAYER_CALLER);
    layer_accessed(POMP_MESSAGE_PUT, win, target_rank, layer_bytes(1, datatype));
    layer_accessed(POMP_MESSAGE_GOT, win, target_rank, layer_bytes(1, datatype));
    const int error = PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    if (!layer_on())
        return PMPI_Win_create(base, size, disp_unit, info, comm, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_create, LAYER_CALLER);
    const int error = PMPI_Win_create(base, size, disp_unit, info, comm, win);
    if (error == MPI_SUCCESS) {
        layer_window_new(*win, comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    if (!layer_on())
        return PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_allocate, LAYER_CALLER);
    const int error = PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win);
    if (error == MPI_SUCCESS) {
        layer_window_new(*win, comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    if (!layer_on())
        return PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_allocate_shared, LAYER_CALLER);
    const int error = PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win);
    if (error == MPI_SUCCESS) {
        layer_window_new(*win, comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    if (!layer_on())
        return PMPI_Win_create_dynamic(info, comm, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_create_dynamic, LAYER_CALLER);
    const int error = PMPI_Win_create_dynamic(info, comm, win);
    if (error == MPI_SUCCESS) {
        layer_window_new(*win, comm);
    }
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_free(MPI_Win *win)
{
    const int measured = layer_on();
    if (!measured && !layer_keeps())
        return PMPI_Win_free(win);
    struct ompregdescr *d = measured ? layer_enter(LAYER_Win_free, LAYER_CALLER) : NULL;
    layer_window_freed(*win);
    const int error = PMPI_Win_free(win);
    if (measured)
        layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    if (!layer_on())
        return PMPI_Win_attach(win, base, size);
    struct ompregdescr *d = layer_enter(LAYER_Win_attach, LAYER_CALLER);
    const int error = PMPI_Win_attach(win, base, size);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_detach(MPI_Win win, const void *base)
{
    if (!layer_on())
        return PMPI_Win_detach(win, base);
    struct ompregdescr *d = layer_enter(LAYER_Win_detach, LAYER_CALLER);
    const int error = PMPI_Win_detach(win, base);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_fence(int assert, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_fence(assert, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_fence, LAYER_CALLER);
    const int error = PMPI_Win_fence(assert, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_start(group, assert, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_start, LAYER_CALLER);
    const int error = PMPI_Win_start(group, assert, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_complete(MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_complete(win);
    struct ompregdescr *d = layer_enter(LAYER_Win_complete, LAYER_CALLER);
    const int error = PMPI_Win_complete(win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_post(group, assert, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_post, LAYER_CALLER);
    const int error = PMPI_Win_post(group, assert, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_wait(MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_wait(win);
    struct ompregdescr *d = layer_enter(LAYER_Win_wait, LAYER_CALLER);
    const int error = PMPI_Win_wait(win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_test(MPI_Win win, int *flag)
{
    if (!layer_on())
        return PMPI_Win_test(win, flag);
    struct ompregdescr *d = layer_enter(LAYER_Win_test, LAYER_CALLER);
    const int error = PMPI_Win_test(win, flag);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_lock(lock_type, rank, assert, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_lock, LAYER_CALLER);
    const int error = PMPI_Win_lock(lock_type, rank, assert, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_lock_all(int assert, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_lock_all(assert, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_lock_all, LAYER_CALLER);
    const int error = PMPI_Win_lock_all(assert, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_unlock(int rank, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_unlock(rank, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_unlock, LAYER_CALLER);
    const int error = PMPI_Win_unlock(rank, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_unlock_all(MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_unlock_all(win);
    struct ompregdescr *d = layer_enter(LAYER_Win_unlock_all, LAYER_CALLER);
    const int error = PMPI_Win_unlock_all(win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_flush(int rank, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_flush(rank, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_flush, LAYER_CALLER);
    const int error = PMPI_Win_flush(rank, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_flush_all(MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_flush_all(win);
    struct ompregdescr *d = layer_enter(LAYER_Win_flush_all, LAYER_CALLER);
    const int error = PMPI_Win_flush_all(win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_flush_local(int rank, MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_flush_local(rank, win);
    struct ompregdescr *d = layer_enter(LAYER_Win_flush_local, LAYER_CALLER);
    const int error = PMPI_Win_flush_local(rank, win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_flush_local_all(MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_flush_local_all(win);
    struct ompregdescr *d = layer_enter(LAYER_Win_flush_local_all, LAYER_CALLER);
    const int error = PMPI_Win_flush_local_all(win);
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Win_sync(MPI_Win win)
{
    if (!layer_on())
        return PMPI_Win_sync(win);
    struct ompregdescr *d = layer_enter(LAYER_Win_sync, LAYER_CALLER);
    const int error = PMPI_Win_sync(win);
    layer_leave(d);
    return error;
}
