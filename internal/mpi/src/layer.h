/* layer.h: the MPI layer, which stands between a program and MPI's profiling interface. It reports
 * each call to the measurement library, and messages to its trace.
 *
 * While nothing is measured, a call of a routine costs one test. Calls that MPI itself makes inside
 * a routine, and calls from a signal handler that interrupts a routine, go straight to MPI. So each
 * call counts once, whatever an implementation's Fortran routines call.
 */
#ifndef OPARI_MPI_LAYER_H
#define OPARI_MPI_LAYER_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pomp_environment.h"
#include "pomp_lib.h"
#include "pomp_messages.h"

#pragma weak pomp_unit_1
#pragma weak POMP_Begin
#pragma weak POMP_End
#pragma weak POMP_On
#pragma weak POMP_Off
#pragma weak pomp_message_1
#pragma weak pomp_recording_1

#define LAYER_API __attribute__((visibility("default")))
#define LAYER_COLD __attribute__((cold, noinline))
#define LAYER_CALLER __builtin_extract_return_addr(__builtin_return_address(0))
#define LAYER_UNLIKELY(x) __builtin_expect((x) != 0, 0)

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of INTEGER are arrays of int");

/* The routines are LAYER_Send and so on. */
enum layer_routine {
#define LAYER_X(name) LAYER_##name,
#include "routines.h"
#undef LAYER_X
    LAYER_ROUTINES
};

enum layer_request_kind {
    LAYER_NONE,
    LAYER_SEND, /* known only where requests have numbers */
    LAYER_RECEIVE,
    LAYER_PERSISTENT_SEND,
    LAYER_PERSISTENT_RECEIVE,
    LAYER_MESSAGE
};

/* A request with what the trace needs when it is complete. */
struct layer_request {
    uintptr_t handle; /* 0: none */
    enum layer_request_kind kind;
    int active; /* a persistent request is started and not yet complete */
    unsigned communicator;
    int peer, tag; /* for sends */
    uint64_t bytes;
    uint64_t number; /* in the trace; 0: none */
};

/* Patterns of collective operations have the numbers of the Open Trace Format. */
enum layer_pattern {
    LAYER_BARRIER = 1,
    LAYER_ONE_TO_ALL = 2,
    LAYER_ALL_TO_ONE = 3,
    LAYER_ALL_TO_ALL = 4
};

struct layer_state {
    struct pomp_unit unit;
    int tracing;        /* messages are recorded; 0 until MPI is initialized */
    int several;        /* several threads may be in MPI at once */
    int pending;        /* number of known requests and messages */
    int numbers;        /* requests have numbers, which are recorded */
    uint64_t numbered;  /* requests that have got one */
    int rank;           /* in MPI_COMM_WORLD */
    MPI_Comm all, node; /* the layer's own: all ranks that record; those of this node */
};
extern struct layer_state layer;
extern __thread int layer_depth __attribute__((tls_model("initial-exec")));

/* Returns whether the layer reports this call. */
static inline int layer_on(void)
{
    return LAYER_UNLIKELY(layer.unit.active & POMP_ACTIVE) && layer_depth == 0;
}

/* Returns whether the layer must follow requests although it does not report this call. */
static inline int layer_follows(void)
{
    return LAYER_UNLIKELY(__atomic_load_n(&layer.pending, __ATOMIC_RELAXED) != 0) &&
           layer_depth == 0;
}

/* Returns whether the layer must forget what the call frees although it does not report the
 * call. */
static inline int layer_keeps(void) { return LAYER_UNLIKELY(layer.tracing) && layer_depth == 0; }

/* layer.c: returns the region of a routine at a place that calls it; enters and leaves it. */
struct ompregdescr *layer_region(enum layer_routine routine, const void *caller);
static inline struct ompregdescr *layer_enter(enum layer_routine routine, const void *caller)
{
    layer_depth = 1;
    struct ompregdescr *d = layer_region(routine, caller);
    POMP_Begin(d, NULL);
    return d;
}
static inline void layer_leave(struct ompregdescr *d)
{
    POMP_End(d, NULL);
    layer_depth = 0;
}

/* messages.c: layer_bytes returns the size of count elements; 0 if messages are not recorded. */
uint64_t layer_bytes_of(int count, MPI_Datatype type);
static inline uint64_t layer_bytes(int count, MPI_Datatype type)
{
    return layer.tracing && count > 0 ? layer_bytes_of(count, type) : 0;
}
uint64_t layer_sum(const int *counts, int n, MPI_Datatype type);
uint64_t layer_sum_each(const int *counts, int n, const void *types,
                        int fortran); /* types: MPI_Datatype, or MPI_Fint if fortran is set */
int layer_in_place(const void *buffer);
int layer_rank(MPI_Comm comm);
int layer_size(MPI_Comm comm);            /* the remote group's size, if there is one */
int layer_degree(MPI_Comm comm, int out); /* number of neighbours in a topology */
int layer_is_root(int root, MPI_Comm comm);
void layer_sent(MPI_Comm comm, int to, int tag, uint64_t bytes);
void layer_sent_by(unsigned communicator, int to, int tag, uint64_t bytes, uint64_t request);
void layer_received(MPI_Comm comm, const MPI_Status *status);
void layer_received_by(unsigned communicator, const MPI_Status *status, uint64_t request);
uint64_t layer_sending(MPI_Comm comm, int to, int tag, uint64_t bytes); /* a request's number */
void layer_request_is(enum pomp_message what, uint64_t request);
void layer_collective(MPI_Comm comm, enum layer_routine routine, enum layer_pattern pattern,
                      int root, uint64_t sent, uint64_t received);
void layer_accessed(enum pomp_message what, MPI_Win win, int target, uint64_t bytes);

/* requests.c: a taken request is no longer known, unless it is persistent. layer_request_sent
 * notes the request of a send with the number that layer_sending has given it. */
uint64_t layer_request_number(void);
void layer_request_sent(MPI_Request request, uint64_t number);
void layer_request_of(MPI_Request request, enum layer_request_kind kind, unsigned communicator,
                      int peer, int tag, uint64_t bytes);
void layer_request_new(MPI_Request request, enum layer_request_kind kind, MPI_Comm comm, int peer,
                       int tag, uint64_t bytes);
void layer_start(MPI_Request request);
void layer_request_freed(MPI_Request request);
struct layer_request layer_request_take(MPI_Request request);
void layer_request_back(const struct layer_request *r);
void layer_completed(struct layer_request *r, const MPI_Status *status);
void layer_message_new(MPI_Message message, MPI_Comm comm);
unsigned layer_message_take(MPI_Message message);

/* communicators.c: numbers of communicators, from 1; 0: unknown. */
unsigned layer_communicator(MPI_Comm comm);
void layer_communicator_new(MPI_Comm comm);
void layer_communicator_freed(MPI_Comm comm);
void layer_communicator_named(MPI_Comm comm);
void layer_window_new(MPI_Win win, MPI_Comm comm);
void layer_window_freed(MPI_Win win);
unsigned layer_window(MPI_Win win);

/* waits.c: used by the routines of C and of Fortran. */
int layer_wait(MPI_Request *request, MPI_Status *status, const void *caller);
int layer_waitall(int count, MPI_Request requests[], MPI_Status statuses[], const void *caller);
int layer_waitany(int count, MPI_Request requests[], int *index, MPI_Status *status,
                  const void *caller);
int layer_waitsome(int count, MPI_Request requests[], int *done, int indices[],
                   MPI_Status statuses[], const void *caller);
int layer_test(MPI_Request *request, int *flag, MPI_Status *status, const void *caller);
int layer_testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[],
                  const void *caller);
int layer_testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status,
                  const void *caller);
int layer_testsome(int count, MPI_Request requests[], int *done, int indices[],
                   MPI_Status statuses[], const void *caller);

/* environment.c: called when MPI has been initialized, before it is finalized, and to switch
 * measurement. */
void layer_begin(void);
void layer_end(void);
void layer_control(int level);

/* Returns numbers as text with runs of equal steps, "0-3,8,12-20:4"; negative numbers become -1.
 * The caller frees it. */
char *layer_runs(const int *number, int n);

/* file.c: layer_write appends a line of JSON, in one write, to the process's file beside the
 * recording. layer_read returns the text of a file from a position on, ended by 0; the caller frees
 * it. */
char *layer_read(const char *ending, long from, size_t *length);
void layer_write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* meeting.c: layer_announce says, before MPI is initialized, that this process records. layer_meet
 * finds out which others do and returns their communicator, on which errors return. It returns
 * MPI_COMM_NULL if it cannot make one. */
void layer_announce(void);
MPI_Comm layer_meet(int rank, int size);

/* unify.c: gives common numbers to the definitions of all processes that record, and writes each
 * definition once. It is collective over layer.all. */
void layer_unify(void);

/* clock.c: measures and writes the offset of this process's clock to that of the first. It is
 * collective over layer.all. */
void layer_clock(const char *when);

#endif
