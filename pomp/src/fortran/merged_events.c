/* merged_events.c: the events that a merged call of Fortran raises in succession. */
#include "../state/state.h"

/* A shorter pomp_event. */
OPARI_INLINE void pomp_fortran_part(struct ompregdescr *d, enum pomp_type type, unsigned kind,
                                    const void *ra, void *frame)
{
    if (!pomp_is_event(type, kind))
        return;
    const int entry_kind = pomp_entry_kind(type, kind);
    struct opari_thread *t =
        entry_kind != OPARI_AT_BASE ? pomp_stacked(d, entry_kind) : opari_event_begin(d);
    if (t == NULL)
        return;
    if (pomp_puts(type, kind) && !opari_has_room(t)) {
        opari_event_end();
        return;
    }
    pomp_event_end(d, type == POMP_TYPE_begin ? pomp_begin(t, d, kind, ra)
                      : type == POMP_TYPE_end ? pomp_end_of_block(t, kind, ra, frame)
                                              : pomp_exit(t, d, kind, ra));
}

/* The functions of the plain events, without duplicates; see POMP_LIKE_x. */
#define POMP_AMONG_enter(how, name, type, kind)
#define POMP_AMONG_begin(how, name, type, kind) how(name, type, kind)
#define POMP_AMONG_end(how, name, type, kind) how(name, type, kind)
#define POMP_AMONG_exit(how, name, type, kind) how(name, type, kind)
#define POMP_AMONG_POMP_ALIAS(name, type, kind)
#define POMP_AMONG_POMP_ELSEWHERE(name, type, kind) \
    static void pomp_fortran_##name##_##type(struct ompregdescr *d, const void *ra, void *frame) \
    { \
        (void)ra, (void)frame; \
        pomp_merged_part_##name##_##type(d, ra); \
    }
#define POMP_AMONG_POMP_OWN(name, type, kind) \
    static void pomp_fortran_##name##_##type(struct ompregdescr *d, const void *ra, void *frame) \
    { \
        pomp_fortran_part(d, POMP_TYPE_##type, POMP_KIND_##kind, ra, frame); \
    }
#define POMP_PASTE(a, b) POMP_PASTE_(a, b)
#define POMP_PASTE_(a, b) a##b
#define POMP_DEFINE_AMONG(name, type, kind) \
    POMP_PASTE(POMP_AMONG_, POMP_HOW(POMP_LIKE_##name##_##type, POMP_OWN, ~, ~))(name, type, kind)
OPARI_FOR_SIZE
#define POMP_X(name, type, kind) POMP_AMONG_##type(POMP_DEFINE_AMONG, name, type, kind)
FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X
OPARI_FOR_SPEED

/* The region of the slots that contain at. */
#define POMP_FORTRAN_REGION(at) \
    (((const union pomp_fortran_slot *)((uintptr_t)(at) & \
                                        ~(uintptr_t)(POMP_FORTRAN_SLOTS_SIZE - 1))) \
         ->region)

OPARI_INLINE void pomp_fortran_call_joined(const struct ompregdescr *slots, int further,
                                           const void *ra, void *frame)
{
    const union pomp_fortran_slot *s = (const union pomp_fortran_slot *)(const void *)slots +
                                       POMP_FORTRAN_JOINED,
                                  *at = s->at;
    while ((++s)->at != NULL) {
        at->among(POMP_FORTRAN_REGION(at), ra, frame);
        at = s->at;
    }
    at[further].call(POMP_FORTRAN_REGION(at));
}

OPARI_INLINE void pomp_fortran_call_pair(const struct ompregdescr *slots, int last, const void *ra,
                                         void *frame)
{
    const union pomp_fortran_slot *s = (const union pomp_fortran_slot *)(const void *)slots;
    s[POMP_FORTRAN_PAIR].among(s[POMP_FORTRAN_PAIR + 1].region, ra, frame);
    s[last].call(s[POMP_FORTRAN_PAIR_REGION].region);
}

static void pomp_fortran_pair(struct ompregdescr *slots)
{
    pomp_fortran_call_pair(slots, POMP_FORTRAN_PAIR_LAST, POMP_CALLER, POMP_FRAME);
}
static void pomp_fortran_pair_counted(struct ompregdescr *slots)
{
    pomp_fortran_call_pair(slots, POMP_FORTRAN_PAIR_COUNTED, POMP_CALLER, POMP_FRAME);
}

static void pomp_fortran_merged_calls(struct ompregdescr *slots)
{
    pomp_fortran_call_joined(slots, 0, POMP_CALLER, POMP_FRAME);
}
static void pomp_fortran_merged_counted(struct ompregdescr *slots)
{
    pomp_fortran_call_joined(slots, POMP_FORTRAN_COUNTED - POMP_FORTRAN_enter, POMP_CALLER,
                             POMP_FRAME);
}
