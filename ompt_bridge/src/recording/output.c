/* output.c: the buffer in which recorders assemble the lines that they write: JSON, with write(2)
 * and without allocation. */
#include "../opari_ext.h"
#include "../platform/platform.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { REC_BUFFER = 32 * 1024 };

static struct {
    /* The trace recorder assembles the lines of its regions in the same buffer. */
    pthread_mutex_t lock;
    int fd, failed;
    size_t used;
    char buffer[REC_BUFFER];
    char prefix[PATH_MAX], program[PATH_MAX];
    const char *(*kind_name)(unsigned);
} rec_out = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Stores path as an absolute path, because the program may change its directory. Returns its
 * length; 0 without a path or without room. */
static size_t rec_absolute(char *to, size_t room, const char *path)
{
    size_t n = 0, length = path != NULL ? strlen(path) : 0;
    to[0] = 0;
    if (length == 0)
        return 0;
    if (path[0] != '/' && getcwd(to, room - 1) != NULL) {
        n = strlen(to);
        to[n++] = '/';
    }
    if (n + length + 1 > room)
        return 0;
    memcpy(to + n, path, length + 1);
    return n + length;
}

/* prefix is that from the environment; null or "": no profile. */
static void rec_configure(const char *prefix, const char *(*kind_name)(unsigned))
{
    rec_out.kind_name = kind_name;
    if (rec_absolute(rec_out.prefix, sizeof rec_out.prefix - 32, prefix) == 0) {
        rec_out.prefix[0] = 0;
        return;
    }
    ssize_t got = readlink("/proc/self/exe", rec_out.program, sizeof rec_out.program - 1);
    rec_out.program[got > 0 ? got : 0] = 0;
}

static void rec_flush(void)
{
    size_t done = 0;
    while (done < rec_out.used && !rec_out.failed) {
        ssize_t n = write(rec_out.fd, rec_out.buffer + done, rec_out.used - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            rec_out.failed = 1;
    }
    rec_out.used = 0;
}

static void rec_bytes(const char *s, size_t n)
{
    if (n > sizeof rec_out.buffer - rec_out.used)
        rec_flush();
    memcpy(rec_out.buffer + rec_out.used, s, n);
    rec_out.used += n;
}

static void rec_text(const char *s) { rec_bytes(s, strlen(s)); }

static char *rec_digits(char *end, uint64_t v)
{
    *--end = 0;
    do
        *--end = (char)('0' + v % 10);
    while ((v /= 10) != 0);
    return end;
}

static void rec_unsigned(const char *before, uint64_t v)
{
    char digits[24];
    rec_text(before);
    rec_text(rec_digits(digits + sizeof digits, v));
}

/* Returns the length of the UTF-8 sequence at s; 0 when there is none, because names of files may
 * have any bytes. */
static size_t rec_sequence(const unsigned char *s)
{
    size_t n = s[0] >= 0xf0 && s[0] < 0xf5   ? 4
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                                             : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static OPARI_COLD void rec_string(const char *before, const char *s)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *p = (const unsigned char *)(s != NULL ? s : "");
    rec_text(before);
    rec_bytes("\"", 1);
    while (*p != 0) {
        size_t n = 1;
        if (*p == '"' || *p == '\\') {
            rec_bytes("\\", 1);
            rec_bytes((const char *)p, 1);
        } else if (*p >= 0x20 && *p < 0x7f) {
            rec_bytes((const char *)p, 1);
        } else if (*p >= 0x80 && (n = rec_sequence(p)) != 0) {
            rec_bytes((const char *)p, n);
        } else { /* a control character, or a byte that is no UTF-8, which is escaped as Latin-1 */
            char escape[] = "\\u0000";
            escape[4] = hex[*p >> 4];
            escape[5] = hex[*p & 15];
            rec_bytes(escape, 6);
            n = 1;
        }
        p += n;
    }
    rec_bytes("\"", 1);
}

static void rec_write_region(size_t number, const struct ompregdescr *d)
{
    /* The copy of an unloaded descriptor keeps the number of its outer region in data[1]. */
    size_t outer = d->next == d       ? (size_t)(uintptr_t)d->data[1]
                   : d->outer != NULL ? (size_t)(uintptr_t)d->outer->data[0]
                                      : 0;
    rec_unsigned("{\"region\":", number);
    rec_string(",\"name\":", d->name);
    rec_string(",\"sub_name\":", d->sub_name);
    rec_string(",\"directive\":", d->directive);
    rec_string(",\"file\":", d->file_name);
    rec_unsigned(",\"begin\":[", (unsigned)d->begin_first_line);
    rec_unsigned(",", (unsigned)d->begin_last_line);
    rec_unsigned("],\"end\":[", (unsigned)d->end_first_line);
    rec_unsigned(",", (unsigned)d->end_last_line);
    rec_unsigned("],\"outer\":", outer);
    rec_string(",\"kind\":", rec_out.kind_name(d->kind));
    rec_unsigned(",\"num_sections\":", (unsigned)d->num_sections);
    rec_unsigned(",\"facts\":", d->facts);
    rec_text("}\n");
}
