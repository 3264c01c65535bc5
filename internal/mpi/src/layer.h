/* layer.h: the MPI layer: what stands between a program and MPI's profiling interface, and tells
 * the measurement library of each call, and its trace of messages.
 *
 * A routine that is called while nothing is measured costs a test. Calls that MPI makes itself
 * inside a routine, and those of a signal handler that interrupts one, go straight to MPI: so each
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

/* The routines: LAYER_Send. */
enum layer_routine {
#define LAYER_X(name) LAYER_##name,
#include "routines.h"
#undef LAYER_X
    LAYER_ROUTINES
};

enum layer_request_kind {
    LAYER_NONE,
    LAYER_RECEIVE,
    LAYER_PERSISTENT_SEND,
    LAYER_PERSISTENT_RECEIVE,
    LAYER_MESSAGE
};

/* What a request stands for. */
struct layer_request {
    uintptr_t handle; /* 0: none */
    enum layer_request_kind kind;
    int active; /* of a persistent one: started and not yet complete */
    unsigned communicator;
    int peer, tag; /* of sends */
    uint64_t bytes;
};

/* Patterns of collective operations, with the numbers of the Open Trace Format. */
enum layer_pattern {
    LAYER_BARRIER = 1,
    LAYER_ONE_TO_ALL = 2,
    LAYER_ALL_TO_ONE = 3,
    LAYER_ALL_TO_ALL = 4
};

struct layer_state {
    struct pomp_unit unit;
    int tracing;        /* messages are wanted; not before MPI is initialized */
    int several;        /* threads may be in MPI at once */
    int pending;        /* requests and messages that are known */
    int rank;           /* in MPI_COMM_WORLD */
    MPI_Comm all, node; /* ours: the ranks that record; those of this node */
};
extern struct layer_state layer;
extern __thread int layer_depth __attribute__((tls_model("initial-exec")));

/* Whether the call is to be told of. */
static inline int layer_on(void)
{
    return LAYER_UNLIKELY(layer.unit.active & POMP_ACTIVE) && layer_depth == 0;
}

/* Whether requests have to be followed though the call is not told of. */
static inline int layer_follows(void)
{
    return LAYER_UNLIKELY(__atomic_load_n(&layer.pending, __ATOMIC_RELAXED) != 0) &&
           layer_depth == 0;
}

/* Whether what the call gives back has to be forgotten though the call is not told of. */
static inline int layer_keeps(void) { return LAYER_UNLIKELY(layer.tracing) && layer_depth == 0; }

/* layer.c: the region of a routine that is called from an address is entered and left. */
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

/* messages.c. bytes: of count elements; 0 where no message is wanted. */
uint64_t layer_bytes_of(int count, MPI_Datatype type);
static inline uint64_t layer_bytes(int count, MPI_Datatype type)
{
    return layer.tracing && count > 0 ? layer_bytes_of(count, type) : 0;
}
uint64_t layer_sum(const int *counts, int n, MPI_Datatype type);
uint64_t layer_sum_each(const int *counts, int n, const void *types,
                        int fortran); /* MPI_Datatype or, of Fortran's, MPI_Fint */
int layer_in_place(const void *buffer);
int layer_rank(MPI_Comm comm);
int layer_size(MPI_Comm comm);            /* of the remote group where there are two */
int layer_degree(MPI_Comm comm, int out); /* neighbours of a topology */
int layer_is_root(int root, MPI_Comm comm);
void layer_sent(MPI_Comm comm, int to, int tag, uint64_t bytes);
void layer_sent_by(unsigned communicator, int to, int tag, uint64_t bytes);
void layer_received(MPI_Comm comm, const MPI_Status *status);
void layer_received_by(unsigned communicator, const MPI_Status *status);
void layer_collective(MPI_Comm comm, enum layer_routine routine, enum layer_pattern pattern,
                      int root, uint64_t sent, uint64_t received);
void layer_accessed(enum pomp_message what, MPI_Win win, int target, uint64_t bytes);

/* requests.c. A taken request is not known any more, unless it is a persistent one. */
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

/* communicators.c: numbers of communicators, from 1; 0: not known. */
unsigned layer_communicator(MPI_Comm comm);
void layer_communicator_new(MPI_Comm comm);
void layer_communicator_gone(MPI_Comm comm);
void layer_communicator_named(MPI_Comm comm);
void layer_window_new(MPI_Win win, MPI_Comm comm);
void layer_window_gone(MPI_Win win);
unsigned layer_window(MPI_Win win);

/* waits.c, for C and Fortran */
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

/* environment.c: MPI has been initialized; is about to be finalized; measurement is switched. */
void layer_begin(void);
void layer_end(void);
void layer_control(int level);

/* Numbers as text: runs of equal steps, "0-3,8,12-20:4"; -1 for negative ones. Freed by the caller.
 */
char *layer_runs(const int *number, int n);

/* file.c: a line of JSON in the process's file beside the recording; in one write. The text of a
 * file from a place on, ended by 0 and freed by the caller. */
char *layer_read(const char *ending, long from, size_t *length);
void layer_write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* meeting.c: this process says that it records, before MPI is initialized; and finds out who does
 * besides. The communicator of these, on which errors return; MPI_COMM_NULL where it cannot be
 * made. */
void layer_announce(void);
MPI_Comm layer_meet(int rank, int size);

/* unify.c: the definitions of all that record get common numbers, and are written once. All of
 * layer.all. */
void layer_unify(void);

/* clock.c: the offset of this process's clock to that of the first is measured, and written. All of
 * layer.all. */
void layer_clock(const char *when);

#endif
