/* pomp_messages.h: what libraries beside this one tell the trace: messages. The MPI layer (package
 * mpi) does. Refer to both weakly, as instrumented code does to the rest. The rules of pomp_lib.h
 * hold for both.
 */
#ifndef POMP_MESSAGES_H
#define POMP_MESSAGES_H

#include <stdint.h>

/* Words are below 2^58. peer is a rank of the communicator, of the remote group where that has two;
 * sum is tag << 27 | peer. */
enum pomp_message {
    POMP_MESSAGE_SENT,       /* sum, bytes: is about to be sent */
    POMP_MESSAGE_RECEIVED,   /* sum, bytes: has been received */
    POMP_MESSAGE_COLLECTIVE, /* operation << 28 | root + 1, bytes sent, bytes received: until the
                                region that the thread is in ends */
    POMP_MESSAGE_PUT,        /* peer, bytes: into its memory */
    POMP_MESSAGE_GOT         /* peer, bytes: out of its memory */
};
enum { POMP_MESSAGE_WORDS = 3, POMP_MESSAGE_PEER_BITS = 27, POMP_MESSAGE_ROOT_BITS = 28 };

/* Records a message of the calling thread, now; communicator: a number that the caller has given
 * it, below 2^20. */
extern void pomp_message_1(int what, unsigned communicator, const uint64_t *words, int n);

/* The path of the recording that the process is making, without the ending of its files; null where
 * it makes none, or none yet. From POMP_RECORDING_ROWS on its file .meta has the regions that were
 * met until now, in lines of JSON. */
enum { POMP_RECORDING_ROWS = 4096 };
extern const char *pomp_recording_1(void);

#endif
