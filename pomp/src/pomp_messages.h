/* pomp_messages.h: the interface by which other libraries, such as the MPI layer (package mpi), add
 * messages to the trace. Refer to both functions weakly, as instrumented code does to the rest of
 * the library. The rules of pomp_lib.h hold for both.
 */
#ifndef POMP_MESSAGES_H
#define POMP_MESSAGES_H

#include <stdint.h>

/* Words are below 2^58. peer is a rank of the communicator, or of the remote group where the
 * communicator has two groups. sum is tag << 27 | peer. */
enum pomp_message {
    POMP_MESSAGE_SENT,       /* sum, bytes[, request]: about to be sent */
    POMP_MESSAGE_RECEIVED,   /* sum, bytes[, request]: has been received */
    POMP_MESSAGE_COLLECTIVE, /* operation << 28 | root + 1, bytes sent, bytes received: lasts until
                                the thread's current region ends */
    POMP_MESSAGE_PUT,        /* peer, bytes: into peer's memory */
    POMP_MESSAGE_GOT,        /* peer, bytes: out of peer's memory */
    /* Words of a non-blocking message: */
    POMP_MESSAGE_REQUESTED, /* request: a receive has begun */
    POMP_MESSAGE_COMPLETE,  /* request: that of a send has ended */
    POMP_MESSAGE_CANCELLED  /* request: it has ended without a message */
};
enum { POMP_MESSAGE_WORDS = 3, POMP_MESSAGE_PEER_BITS = 27, POMP_MESSAGE_ROOT_BITS = 28 };

/* Records a message of the calling thread at the present time. communicator is a number below 2^20
 * that the caller has assigned to it. */
extern void pomp_message_1(int what, unsigned communicator, const uint64_t *words, int n);

/* Returns the path of the process's recording without the extensions of its files, or null while
 * the process makes no recording. The recording's .meta file lists the regions met so far, in lines
 * of JSON that begin at offset POMP_RECORDING_ROWS. */
enum { POMP_RECORDING_ROWS = 4096 };
extern const char *pomp_recording_1(void);

#endif
