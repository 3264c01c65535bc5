/* messages.c: what a call sends and receives. The bytes are those that this process gives and gets,
 * according to the call's arguments. Data that stay in place (MPI_IN_PLACE) at the root of a gather
 * or scatter do not count. */
#include "layer.h"

uint64_t layer_bytes_of(int count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (uint64_t)count * (uint64_t)size;
}

static uint64_t layer_total(const int *counts, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += (uint64_t)counts[i];
    return sum;
}

uint64_t layer_sum(const int *counts, int n, MPI_Datatype type)
{
    uint64_t sum = layer.tracing ? layer_total(counts, n) : 0;
    return sum > 0 ? sum * layer_bytes_of(1, type) : 0;
}

uint64_t layer_sum_each(const int *counts, int n, const void *types, int fortran)
{
    uint64_t sum = 0;
    if (layer.tracing)
        for (int i = 0; i < n; i++)
            sum += layer_bytes(counts[i], fortran ? PMPI_Type_f2c(((const MPI_Fint *)types)[i])
                                                  : ((const MPI_Datatype *)types)[i]);
    return sum;
}

int layer_rank(MPI_Comm comm)
{
    int rank = 0;
    (void)PMPI_Comm_rank(comm, &rank);
    return rank;
}

int layer_size(MPI_Comm comm)
{
    int size = 0, two = 0;
    if (!layer.tracing)
        return 0;
    (void)PMPI_Comm_test_inter(comm, &two);
    (void)(two ? PMPI_Comm_remote_size(comm, &size) : PMPI_Comm_size(comm, &size));
    return size;
}

int layer_degree(MPI_Comm comm, int out)
{
    int status = 0, in = 0, from = 0, to = 0, weighted = 0;
    if (!layer.tracing || PMPI_Topo_test(comm, &status) != MPI_SUCCESS)
        return 0;
    if (status == MPI_CART) {
        (void)PMPI_Cartdim_get(comm, &in);
        from = to = 2 * in;
    } else if (status == MPI_GRAPH) {
        (void)PMPI_Graph_neighbors_count(comm, layer_rank(comm), &from);
        to = from;
    } else if (status == MPI_DIST_GRAPH) {
        (void)PMPI_Dist_graph_neighbors_count(comm, &from, &to, &weighted);
    }
    return out ? to : from;
}

int layer_is_root(int root, MPI_Comm comm)
{
    return root == MPI_ROOT || (root >= 0 && layer.tracing && root == layer_rank(comm));
}

void layer_sent_by(unsigned communicator, int to, int tag, uint64_t bytes, uint64_t request)
{
    const uint64_t words[] = {(uint64_t)(unsigned)tag << POMP_MESSAGE_PEER_BITS | (unsigned)to,
                              bytes, request};
    if (communicator != 0 && to >= 0)
        pomp_message_1(POMP_MESSAGE_SENT, communicator, words, request != 0 ? 3 : 2);
}

void layer_sent(MPI_Comm comm, int to, int tag, uint64_t bytes)
{
    if (layer.tracing && to >= 0) /* not MPI_PROC_NULL */
        layer_sent_by(layer_communicator(comm), to, tag, bytes, 0);
}

uint64_t layer_sending(MPI_Comm comm, int to, int tag, uint64_t bytes)
{
    if (!layer.tracing || to < 0)
        return 0;
    const uint64_t request = layer_request_number();
    layer_sent_by(layer_communicator(comm), to, tag, bytes, request);
    return request;
}

/* Records what became of a request with a number. */
void layer_request_is(enum pomp_message what, uint64_t request)
{
    if (layer.tracing && request != 0)
        pomp_message_1((int)what, 0, &request, 1);
}

/* A receive from MPI_PROC_NULL, or a cancelled one, has no message. */
void layer_received_by(unsigned communicator, const MPI_Status *status, uint64_t request)
{
    MPI_Count bytes = 0;
    int cancelled = 0;
    if (!layer.tracing || communicator == 0)
        return;
    if (PMPI_Test_cancelled(status, &cancelled) != MPI_SUCCESS || cancelled ||
        status->MPI_SOURCE < 0 || status->MPI_TAG < 0 ||
        PMPI_Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0) {
        layer_request_is(POMP_MESSAGE_CANCELLED, request);
        return;
    }
    const uint64_t words[] = {(uint64_t)(unsigned)status->MPI_TAG << POMP_MESSAGE_PEER_BITS |
                                  (unsigned)status->MPI_SOURCE,
                              (uint64_t)bytes, request};
    pomp_message_1(POMP_MESSAGE_RECEIVED, communicator, words, request != 0 ? 3 : 2);
}

void layer_received(MPI_Comm comm, const MPI_Status *status)
{
    if (layer.tracing)
        layer_received_by(layer_communicator(comm), status, 0);
}

/* In an intercommunicator, one group has the root. In it one process gives or gets (MPI_ROOT), and
 * the others do nothing (MPI_PROC_NULL). */
void layer_collective(MPI_Comm comm, enum layer_routine routine, enum layer_pattern pattern,
                      int root, uint64_t sent, uint64_t received)
{
    if (!layer.tracing)
        return;
    const unsigned communicator = layer_communicator(comm);
    if (pattern == LAYER_ONE_TO_ALL || pattern == LAYER_ALL_TO_ONE) {
        if (root == MPI_PROC_NULL)
            sent = received = 0;
        else if (root == MPI_ROOT)
            *(pattern == LAYER_ONE_TO_ALL ? &received : &sent) = 0;
    }
    const uint64_t at = root >= 0 ? (uint64_t)root + 1 : 0;
    const uint64_t words[] = {
        ((uint64_t)routine << 4 | (uint64_t)pattern) << POMP_MESSAGE_ROOT_BITS | at, sent,
        received};
    if (communicator != 0)
        pomp_message_1(POMP_MESSAGE_COLLECTIVE, communicator, words, 3);
}

void layer_accessed(enum pomp_message what, MPI_Win win, int target, uint64_t bytes)
{
    if (!layer.tracing || target < 0)
        return;
    const unsigned communicator = layer_window(win);
    const uint64_t words[] = {(uint64_t)(unsigned)target, bytes};
    if (communicator != 0)
        pomp_message_1((int)what, communicator, words, 2);
}

/* The addresses of Fortran's MPI_IN_PLACE in Open MPI and MPICH. The layer only compares them. */
#pragma weak mpi_fortran_in_place_
#pragma weak MPIR_F_MPI_IN_PLACE
extern int mpi_fortran_in_place_[];
extern void *MPIR_F_MPI_IN_PLACE;

int layer_in_place(const void *buffer)
{
    return buffer == MPI_IN_PLACE ||
           (buffer != NULL && buffer == (const void *)mpi_fortran_in_place_) ||
           (&MPIR_F_MPI_IN_PLACE != NULL && buffer == MPIR_F_MPI_IN_PLACE);
}
