/* target.c: constructs of the target family where the library is not between the program and the
 * runtime, so that only the text shows them.
 *
 * The text shows the construct, its begin and its end. Only the runtime's routines get what it maps
 * and which device a clause names; see offload/target.c.
 */
#include "../state/state.h"

#include <stdlib.h>

#if !defined POMP_INTERPOSE || defined OPARI_SHARED
#define POMP_TEXT_TARGETS 1
static int pomp_target_kind(const struct ompregdescr *d)
{
    const int nowait = (d->facts & POMP_HAS_NOWAIT) != 0 ? 8 : 0;
    switch (d->kind) {
    case POMP_KIND_TARGET: return ompt_target + nowait;
    case POMP_KIND_TARGET_DATA:
    case POMP_KIND_TARGET_ENTER_DATA: return ompt_target_enter_data + nowait;
    case POMP_KIND_TARGET_EXIT_DATA: return ompt_target_exit_data + nowait;
    default: return ompt_target_update + nowait;
    }
}

/* Returns the device that the text shows, or -1 where there are several and a clause selects
 * one. */
static int pomp_text_device(const struct ompregdescr *d)
{
    return opari_initial_device() > 0 && (d->facts & (POMP_HAS_IF | POMP_HAS_DEVICE)) != 0
               ? -1
               : opari_device_number(-1);
}

#ifdef OPARI_SHARED
/* Returns whether the instrumented object calls the runtime through the library. The descriptors of
 * Fortran's text lie in no object; for them the answer is known beforehand. */
static int pomp_is_redirected(struct ompregdescr *d)
{
    if (OPARI_LOAD(&d->data[3]) == NULL)
        OPARI_STORE(&d->data[3], pomp_redirect(d) ? POMP_REDIRECTED : POMP_NOT_REDIRECTED);
    return OPARI_LOAD(&d->data[3]) == POMP_REDIRECTED;
}
#else
#define pomp_is_redirected(d) 0
#endif

/* The caller has made the construct's entry the innermost one. */
static OPARI_COLD void pomp_text_target(struct opari_thread *t, struct ompregdescr *d,
                                        const void *ra)
{
    struct opari_entry *e = t->top;
    struct opari_target *g = pomp_is_redirected(d) ? NULL : malloc(sizeof *g);
    if (g == NULL)
        return;
    opari_target_begin(t, g, pomp_target_kind(d), pomp_text_device(d), t->task->data, NULL, ra);
    if (d->kind == POMP_KIND_TARGET_DATA) { /* the events inside are those of the program */
        opari_target_end(t, g);
        g->later = ompt_target_exit_data;
    }
    opari_target_of_entry(e, g);
}
#endif
