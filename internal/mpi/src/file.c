/* file.c: STEM.mpi, the process's file beside its recording. It has lines of JSON with what the
 * trace needs to know of this process among the others. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer.h"

LAYER_COLD void layer_write(const char *format, ...)
{
    const char *stem = pomp_recording_1 != NULL ? pomp_recording_1() : NULL;
    char path[4200], few[1024], *line = few;
    const int saved = errno;
    va_list arguments;
    if (stem == NULL || (size_t)snprintf(path, sizeof path, "%s.mpi", stem) >= sizeof path)
        return;
    va_start(arguments, format);
    int n = vsnprintf(few, sizeof few, format, arguments);
    va_end(arguments);
    if (n >= (int)sizeof few) {
        if ((line = malloc((size_t)n + 1)) == NULL)
            return;
        va_start(arguments, format);
        n = vsnprintf(line, (size_t)n + 1, format, arguments);
        va_end(arguments);
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 && n > 0) {
        ssize_t written = write(file, line, (size_t)n);
        (void)written; /* The reader detects a missing or incomplete line. */
    }
    if (file >= 0)
        (void)close(file);
    if (line != few)
        free(line);
    errno = saved;
}

LAYER_COLD char *layer_read(const char *ending, long from, size_t *length)
{
    const char *stem = pomp_recording_1 != NULL ? pomp_recording_1() : NULL;
    char path[4200], *text = NULL;
    struct stat is;
    if (stem == NULL || (size_t)snprintf(path, sizeof path, "%s%s", stem, ending) >= sizeof path)
        return NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &is) == 0 && is.st_size >= from &&
        (text = malloc((size_t)(is.st_size - from) + 1)) != NULL) {
        const ssize_t got = pread(file, text, (size_t)(is.st_size - from), from);
        *length = got > 0 ? (size_t)got : 0;
        text[*length] = 0;
    }
    (void)close(file);
    return text;
}
