// Package mpi is the MPI layer. It stands between a program and MPI's profiling interface, and
// reports MPI's routines and messages to the measurement library.
//
// The package has the table of the routines, from which the C text is generated. It embeds that
// text and builds it with the user's mpicc.
package mpi

//go:generate go run ./gen

// Routine is a routine of MPI 3.1 with what the layer does in it.
type Routine struct {
	Name      string // without MPI_
	Arguments string // in C, as in MPI 3.1
	// Before and After are statements of C around the call; After runs only if the call has
	// succeeded. {comm} stands for the argument's value, in C and Fortran alike: handles are C's.
	// {*request} is what the argument points to, {requests[i]} an element. {fortran} is 1 in
	// Fortran, else 0.
	Before, After string
	Status        bool // After needs a status, even if the program wants none
	Always        bool // Before runs while measurement is off, too
	ByHand        bool // the routine is in waits.c, environment.c and fortran_waits.h
	// A collective operation has a pattern, and expressions for the bytes that this process gives
	// and gets. It also has a nonblocking variant, whose name begins with I and which has one
	// more argument, a request.
	Pattern        Pattern
	Sent, Received string
}

// Pattern says who sends to whom in a collective operation.
type Pattern string

// The patterns, as the layer's C text calls them.
const (
	Barrier  Pattern = "LAYER_BARRIER"
	OneToAll Pattern = "LAYER_ONE_TO_ALL"
	AllToOne Pattern = "LAYER_ALL_TO_ONE"
	AllToAll Pattern = "LAYER_ALL_TO_ALL"
)

// Routines lists the routines that the layer wraps. It omits routines for files and names, and
// those that neither send nor wait.
var Routines = []Routine{
	// Point to point.
	{Name: "Send", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm", Before: "layer_sent({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Bsend", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm", Before: "layer_sent({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Ssend", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm", Before: "layer_sent({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Rsend", Arguments: "const void *ibuf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm", Before: "layer_sent({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Isend", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", Before: "const uint64_t number = layer_sending({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));", After: "layer_request_sent({*request}, number);"},
	{Name: "Ibsend", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", Before: "const uint64_t number = layer_sending({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));", After: "layer_request_sent({*request}, number);"},
	{Name: "Issend", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", Before: "const uint64_t number = layer_sending({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));", After: "layer_request_sent({*request}, number);"},
	{Name: "Irsend", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", Before: "const uint64_t number = layer_sending({comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));", After: "layer_request_sent({*request}, number);"},
	{Name: "Send_init", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", After: "layer_request_new({*request}, LAYER_PERSISTENT_SEND, {comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Bsend_init", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", After: "layer_request_new({*request}, LAYER_PERSISTENT_SEND, {comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Ssend_init", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", After: "layer_request_new({*request}, LAYER_PERSISTENT_SEND, {comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Rsend_init", Arguments: "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request", After: "layer_request_new({*request}, LAYER_PERSISTENT_SEND, {comm}, {dest}, {tag}, layer_bytes({count}, {datatype}));"},
	{Name: "Recv", Arguments: "void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status", After: "layer_received({comm}, {status});", Status: true},
	{Name: "Irecv", Arguments: "void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request", After: "layer_request_new({*request}, LAYER_RECEIVE, {comm}, {source}, 0, 0);"},
	{Name: "Recv_init", Arguments: "void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request", After: "layer_request_new({*request}, LAYER_PERSISTENT_RECEIVE, {comm}, {source}, 0, 0);"},
	{Name: "Sendrecv", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status", Before: "layer_sent({comm}, {dest}, {sendtag}, layer_bytes({sendcount}, {sendtype}));", After: "layer_received({comm}, {status});", Status: true},
	{Name: "Sendrecv_replace", Arguments: "void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status", Before: "layer_sent({comm}, {dest}, {sendtag}, layer_bytes({count}, {datatype}));", After: "layer_received({comm}, {status});", Status: true},
	{Name: "Start", Arguments: "MPI_Request *request", Before: "layer_start({*request});"},
	{Name: "Startall", Arguments: "int count, MPI_Request array_of_requests[]", Before: `for (int i = 0; i < {count}; i++)
    layer_start({array_of_requests[i]});`},
	{Name: "Probe", Arguments: "int source, int tag, MPI_Comm comm, MPI_Status *status"},
	{Name: "Iprobe", Arguments: "int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status"},
	{Name: "Mprobe", Arguments: "int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status", After: "layer_message_new({*message}, {comm});"},
	{Name: "Improbe", Arguments: "int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status", After: `if ({*flag} != 0)
    layer_message_new({*message}, {comm});`},
	{Name: "Mrecv", Arguments: "void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status", Before: "const unsigned communicator = layer_message_take({*message});", After: "layer_received_by(communicator, {status}, 0);", Always: true, Status: true},
	{Name: "Imrecv", Arguments: "void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request", Before: "const unsigned communicator = layer_message_take({*message});", After: "layer_request_of({*request}, LAYER_RECEIVE, communicator, 0, 0, 0);", Always: true},
	{Name: "Request_free", Arguments: "MPI_Request *request", Before: "layer_request_freed({*request});", Always: true},
	{Name: "Cancel", Arguments: "MPI_Request *request"},
	{Name: "Request_get_status", Arguments: "MPI_Request request, int *flag, MPI_Status *status"},
	{Name: "Buffer_attach", Arguments: "void *buffer, int size"},
	{Name: "Buffer_detach", Arguments: "void *buffer, int *size"},

	// Waiting: these are in waits.c.
	{Name: "Wait", Arguments: "MPI_Request *request, MPI_Status *status", ByHand: true},
	{Name: "Waitall", Arguments: "int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses", ByHand: true},
	{Name: "Waitany", Arguments: "int count, MPI_Request array_of_requests[], int *index, MPI_Status *status", ByHand: true},
	{Name: "Waitsome", Arguments: "int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status array_of_statuses[]", ByHand: true},
	{Name: "Test", Arguments: "MPI_Request *request, int *flag, MPI_Status *status", ByHand: true},
	{Name: "Testall", Arguments: "int count, MPI_Request array_of_requests[], int *flag, MPI_Status array_of_statuses[]", ByHand: true},
	{Name: "Testany", Arguments: "int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status", ByHand: true},
	{Name: "Testsome", Arguments: "int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status array_of_statuses[]", ByHand: true},

	// Collective operations.
	{Name: "Barrier", Arguments: "MPI_Comm comm", Pattern: Barrier, Sent: "0", Received: "0"},
	{Name: "Bcast", Arguments: "void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm", Pattern: OneToAll, Sent: "layer_is_root({root}, {comm}) ? layer_bytes({count}, {datatype}) : 0", Received: "layer_is_root({root}, {comm}) ? 0 : layer_bytes({count}, {datatype})"},
	{Name: "Gather", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm", Pattern: AllToOne, Sent: "layer_in_place({sendbuf}) ? 0 : layer_bytes({sendcount}, {sendtype})", Received: "layer_is_root({root}, {comm}) ? layer_bytes({recvcount}, {recvtype}) * (uint64_t)layer_size({comm}) : 0"},
	{Name: "Gatherv", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm", Pattern: AllToOne, Sent: "layer_in_place({sendbuf}) ? 0 : layer_bytes({sendcount}, {sendtype})", Received: "layer_is_root({root}, {comm}) ? layer_sum({recvcounts}, layer_size({comm}), {recvtype}) : 0"},
	{Name: "Scatter", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm", Pattern: OneToAll, Sent: "layer_is_root({root}, {comm}) ? layer_bytes({sendcount}, {sendtype}) * (uint64_t)layer_size({comm}) : 0", Received: "layer_in_place({recvbuf}) ? 0 : layer_bytes({recvcount}, {recvtype})"},
	{Name: "Scatterv", Arguments: "const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm", Pattern: OneToAll, Sent: "layer_is_root({root}, {comm}) ? layer_sum({sendcounts}, layer_size({comm}), {sendtype}) : 0", Received: "layer_in_place({recvbuf}) ? 0 : layer_bytes({recvcount}, {recvtype})"},
	{Name: "Allgather", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_in_place({sendbuf}) ? layer_bytes({recvcount}, {recvtype}) : layer_bytes({sendcount}, {sendtype})", Received: "layer_bytes({recvcount}, {recvtype}) * (uint64_t)layer_size({comm})"},
	{Name: "Allgatherv", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_in_place({sendbuf}) ? layer_bytes({recvcounts}[layer_rank({comm})], {recvtype}) : layer_bytes({sendcount}, {sendtype})", Received: "layer_sum({recvcounts}, layer_size({comm}), {recvtype})"},
	{Name: "Alltoall", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "(layer_in_place({sendbuf}) ? layer_bytes({recvcount}, {recvtype}) : layer_bytes({sendcount}, {sendtype})) * (uint64_t)layer_size({comm})", Received: "layer_bytes({recvcount}, {recvtype}) * (uint64_t)layer_size({comm})"},
	{Name: "Alltoallv", Arguments: "const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_in_place({sendbuf}) ? layer_sum({recvcounts}, layer_size({comm}), {recvtype}) : layer_sum({sendcounts}, layer_size({comm}), {sendtype})", Received: "layer_sum({recvcounts}, layer_size({comm}), {recvtype})"},
	{Name: "Alltoallw", Arguments: "const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm", Pattern: AllToAll, Sent: "layer_in_place({sendbuf}) ? layer_sum_each({recvcounts}, layer_size({comm}), {recvtypes}, {fortran}) : layer_sum_each({sendcounts}, layer_size({comm}), {sendtypes}, {fortran})", Received: "layer_sum_each({recvcounts}, layer_size({comm}), {recvtypes}, {fortran})"},
	{Name: "Reduce", Arguments: "const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm", Pattern: AllToOne, Sent: "layer_bytes({count}, {datatype})", Received: "layer_is_root({root}, {comm}) ? layer_bytes({count}, {datatype}) : 0"},
	{Name: "Allreduce", Arguments: "const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({count}, {datatype})", Received: "layer_bytes({count}, {datatype})"},
	{Name: "Reduce_scatter", Arguments: "const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_sum({recvcounts}, layer_size({comm}), {datatype})", Received: "layer_bytes({recvcounts}[layer_rank({comm})], {datatype})"},
	{Name: "Reduce_scatter_block", Arguments: "const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({recvcount}, {datatype}) * (uint64_t)layer_size({comm})", Received: "layer_bytes({recvcount}, {datatype})"},
	{Name: "Scan", Arguments: "const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({count}, {datatype})", Received: "layer_bytes({count}, {datatype})"},
	{Name: "Exscan", Arguments: "const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({count}, {datatype})", Received: "layer_rank({comm}) > 0 ? layer_bytes({count}, {datatype}) : 0"},
	{Name: "Neighbor_allgather", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({sendcount}, {sendtype}) * (uint64_t)layer_degree({comm}, 1)", Received: "layer_bytes({recvcount}, {recvtype}) * (uint64_t)layer_degree({comm}, 0)"},
	{Name: "Neighbor_allgatherv", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({sendcount}, {sendtype}) * (uint64_t)layer_degree({comm}, 1)", Received: "layer_sum({recvcounts}, layer_degree({comm}, 0), {recvtype})"},
	{Name: "Neighbor_alltoall", Arguments: "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_bytes({sendcount}, {sendtype}) * (uint64_t)layer_degree({comm}, 1)", Received: "layer_bytes({recvcount}, {recvtype}) * (uint64_t)layer_degree({comm}, 0)"},
	{Name: "Neighbor_alltoallv", Arguments: "const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm", Pattern: AllToAll, Sent: "layer_sum({sendcounts}, layer_degree({comm}, 1), {sendtype})", Received: "layer_sum({recvcounts}, layer_degree({comm}, 0), {recvtype})"},
	{Name: "Neighbor_alltoallw", Arguments: "const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm", Pattern: AllToAll, Sent: "layer_sum_each({sendcounts}, layer_degree({comm}, 1), {sendtypes}, {fortran})", Received: "layer_sum_each({recvcounts}, layer_degree({comm}, 0), {recvtypes}, {fortran})"},
	{Name: "Reduce_local", Arguments: "const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op"},

	// Communicators.
	{Name: "Comm_dup", Arguments: "MPI_Comm comm, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_dup_with_info", Arguments: "MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_create", Arguments: "MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_create_group", Arguments: "MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_split", Arguments: "MPI_Comm comm, int color, int key, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_split_type", Arguments: "MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_accept", Arguments: "const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_connect", Arguments: "const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Comm_join", Arguments: "int fd, MPI_Comm *intercomm", After: "layer_communicator_new({*intercomm});"},
	{Name: "Comm_spawn", Arguments: "const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]", After: "layer_communicator_new({*intercomm});"},
	{Name: "Comm_spawn_multiple", Arguments: "int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]", After: "layer_communicator_new({*intercomm});"},
	{Name: "Intercomm_create", Arguments: "MPI_Comm local_comm, int local_leader, MPI_Comm bridge_comm, int remote_leader, int tag, MPI_Comm *newintercomm", After: "layer_communicator_new({*newintercomm});"},
	{Name: "Intercomm_merge", Arguments: "MPI_Comm intercomm, int high, MPI_Comm *newintercomm", After: "layer_communicator_new({*newintercomm});"},
	{Name: "Cart_create", Arguments: "MPI_Comm old_comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart", After: "layer_communicator_new({*comm_cart});"},
	{Name: "Cart_sub", Arguments: "MPI_Comm comm, const int remain_dims[], MPI_Comm *new_comm", After: "layer_communicator_new({*new_comm});"},
	{Name: "Graph_create", Arguments: "MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm *comm_graph", After: "layer_communicator_new({*comm_graph});"},
	{Name: "Dist_graph_create", Arguments: "MPI_Comm comm_old, int n, const int nodes[], const int degrees[], const int targets[], const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm", After: "layer_communicator_new({*newcomm});"},
	{Name: "Dist_graph_create_adjacent", Arguments: "MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph", After: "layer_communicator_new({*comm_dist_graph});"},
	{Name: "Comm_idup", Arguments: "MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request"},
	{Name: "Comm_set_name", Arguments: "MPI_Comm comm, const char *comm_name", After: "layer_communicator_named({comm});"},
	{Name: "Comm_free", Arguments: "MPI_Comm *comm", Before: "layer_communicator_freed({*comm});", Always: true},
	{Name: "Comm_disconnect", Arguments: "MPI_Comm *comm", Before: "layer_communicator_freed({*comm});", Always: true},

	// One-sided communication.
	{Name: "Put", Arguments: "const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win", Before: "layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));"},
	{Name: "Rput", Arguments: "const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request", Before: "layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));"},
	{Name: "Accumulate", Arguments: "const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win", Before: "layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));"},
	{Name: "Raccumulate", Arguments: "const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request", Before: "layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));"},
	{Name: "Get", Arguments: "void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win", Before: "layer_accessed(POMP_MESSAGE_GOT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));"},
	{Name: "Rget", Arguments: "void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request", Before: "layer_accessed(POMP_MESSAGE_GOT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));"},
	{Name: "Get_accumulate", Arguments: "const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win", Before: `layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));
layer_accessed(POMP_MESSAGE_GOT, {win}, {target_rank}, layer_bytes({result_count}, {result_datatype}));`},
	{Name: "Rget_accumulate", Arguments: "const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request", Before: `layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes({origin_count}, {origin_datatype}));
layer_accessed(POMP_MESSAGE_GOT, {win}, {target_rank}, layer_bytes({result_count}, {result_datatype}));`},
	{Name: "Fetch_and_op", Arguments: "const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win", Before: `layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes(1, {datatype}));
layer_accessed(POMP_MESSAGE_GOT, {win}, {target_rank}, layer_bytes(1, {datatype}));`},
	{Name: "Compare_and_swap", Arguments: "const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win", Before: `layer_accessed(POMP_MESSAGE_PUT, {win}, {target_rank}, layer_bytes(1, {datatype}));
layer_accessed(POMP_MESSAGE_GOT, {win}, {target_rank}, layer_bytes(1, {datatype}));`},
	{Name: "Win_create", Arguments: "void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win", After: "layer_window_new({*win}, {comm});"},
	{Name: "Win_allocate", Arguments: "MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win", After: "layer_window_new({*win}, {comm});"},
	{Name: "Win_allocate_shared", Arguments: "MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win", After: "layer_window_new({*win}, {comm});"},
	{Name: "Win_create_dynamic", Arguments: "MPI_Info info, MPI_Comm comm, MPI_Win *win", After: "layer_window_new({*win}, {comm});"},
	{Name: "Win_free", Arguments: "MPI_Win *win", Before: "layer_window_freed({*win});", Always: true},
	{Name: "Win_attach", Arguments: "MPI_Win win, void *base, MPI_Aint size"},
	{Name: "Win_detach", Arguments: "MPI_Win win, const void *base"},
	{Name: "Win_fence", Arguments: "int assert, MPI_Win win"},
	{Name: "Win_start", Arguments: "MPI_Group group, int assert, MPI_Win win"},
	{Name: "Win_complete", Arguments: "MPI_Win win"},
	{Name: "Win_post", Arguments: "MPI_Group group, int assert, MPI_Win win"},
	{Name: "Win_wait", Arguments: "MPI_Win win"},
	{Name: "Win_test", Arguments: "MPI_Win win, int *flag"},
	{Name: "Win_lock", Arguments: "int lock_type, int rank, int assert, MPI_Win win"},
	{Name: "Win_lock_all", Arguments: "int assert, MPI_Win win"},
	{Name: "Win_unlock", Arguments: "int rank, MPI_Win win"},
	{Name: "Win_unlock_all", Arguments: "MPI_Win win"},
	{Name: "Win_flush", Arguments: "int rank, MPI_Win win"},
	{Name: "Win_flush_all", Arguments: "MPI_Win win"},
	{Name: "Win_flush_local", Arguments: "int rank, MPI_Win win"},
	{Name: "Win_flush_local_all", Arguments: "MPI_Win win"},
	{Name: "Win_sync", Arguments: "MPI_Win win"},

	// Environment: environment.c has these.
	{Name: "Init", Arguments: "int *argc, char ***argv", ByHand: true},
	{Name: "Init_thread", Arguments: "int *argc, char ***argv, int required, int *provided", ByHand: true},
	{Name: "Finalize", Arguments: "void", ByHand: true},
	{Name: "Abort", Arguments: "MPI_Comm comm, int errorcode", ByHand: true},
	{Name: "Pcontrol", Arguments: "const int level, ...", ByHand: true},
}
