/* messages.c: see pomp_messages.h. */
#include "../pomp_messages.h"

extern void pomp_message_1(int what, unsigned communicator, const uint64_t *words, int n) POMP_API;
extern const char *pomp_recording_1(void) POMP_API;
_Static_assert((int)POMP_RECORDING_ROWS == (int)TRC_META, "where the rows begin");

void pomp_message_1(int what, unsigned communicator, const uint64_t *words, int n)
{
    static const unsigned char records[] = {
        [POMP_MESSAGE_SENT] = TRC_SENT,
        [POMP_MESSAGE_RECEIVED] = TRC_RECEIVED,
        [POMP_MESSAGE_COLLECTIVE] = TRC_COLLECTIVE,
        [POMP_MESSAGE_PUT] = TRC_PUT,
        [POMP_MESSAGE_GOT] = TRC_GOT,
        [POMP_MESSAGE_REQUESTED] = TRC_REQUESTED,
        [POMP_MESSAGE_COMPLETE] = TRC_COMPLETE,
        [POMP_MESSAGE_CANCELLED] = TRC_CANCELLED,
    };
    if (!pomp_is_active() || opari_event_begin(NULL) == NULL)
        return;
    trc_message(records[what], communicator, words, n);
    opari_event_end();
}

const char *pomp_recording_1(void)
{
    return trc_files.made == trc.process && trc_files.meta != &trc_no_meta ? trc_files.stem : NULL;
}
