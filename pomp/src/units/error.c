/* error.c: the error directive, which may be the first OpenMP call of a program. */
#include "../state/state.h"

/* Raises an error with at(execution), perhaps in a unit without regions, so this may start the
 * library. For a C string, GCC passes the length -1 and leaves it to the runtime to compute;
 * Fortran's strings are not terminated. */
static void pomp_error(ompt_severity_t severity, const char *message, size_t length, const void *ra)
{
    pthread_mutex_lock(&pomp.lock);
    pomp_start();
    int active = pomp_is_active();
    pthread_mutex_unlock(&pomp.lock);
    struct opari_thread *t = active ? opari_event_begin(NULL) : NULL;
    if (t == NULL)
        return;
    if (length == (size_t)-1)
        length = message != NULL ? strlen(message) : 0;
    opari_raise_error(severity, message, length, ra);
    opari_event_end();
}

#define POMP_ERROR(name, severity) \
    typedef void (*pomp_##name##_t)(const char *, size_t); \
    POMP_GOMP void name(const char *message, size_t length); \
    POMP_GOMP void name(const char *message, size_t length) \
    { \
        POMP_NEXT(name); \
        pomp_error(severity, message, length, POMP_CALLER); \
        next(message, length); \
    }
POMP_ERROR(GOMP_warning, ompt_warning)
POMP_ERROR(GOMP_error, ompt_fatal)
