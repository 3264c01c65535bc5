/* identity.c: the identity of the process that records. The process's number does not suffice: the
 * system reuses it, and another boot, host or PID namespace has the same numbers. From the identity
 * package recording finds out whether the process still runs (identity.go).
 *
 * The process reads it once, when it makes its file, which may be in the middle of any event. So
 * the code uses only system calls and the stack. 0 and "" stand for unknown values, such as where
 * /proc is missing.
 */
#include "trace.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Reads the beginning of a small file as a string; "" where that fails. */
static OPARI_COLD void trc_text_of(const char *path, char *to, size_t room)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, to, room - 1);
    to[n > 0 ? n : 0] = 0;
    if (fd >= 0)
        (void)close(fd);
}

/* Returns the number of a namespace, as in the link in /proc: pid:[4026531836]. */
static OPARI_COLD uint64_t trc_namespace(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 ? (uint64_t)is.st_ino : 0;
}

/* Returns when the process started, in ticks since the boot: field 22. Field 2, the program's name,
 * may hold blanks and parentheses. */
static OPARI_COLD uint64_t trc_started(void)
{
    char text[1024];
    uint64_t started = 0;
    trc_text_of("/proc/self/stat", text, sizeof text);
    const char *at = strrchr(text, ')');
    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    for (; at != NULL && at[1] >= '0' && at[1] <= '9'; at++)
        started = 10 * started + (uint64_t)(at[1] - '0');
    return at != NULL && at[1] == ' ' ? started : 0; /* a number that is cut off would be another
                                                        one */
}

static OPARI_COLD void trc_identify(struct trc_identity *who)
{
    struct utsname system;
    trc_text_of("/proc/sys/kernel/random/boot_id", who->boot, sizeof who->boot);
    who->boot[strcspn(who->boot, "\n")] = 0;
    _Static_assert(sizeof system.nodename < sizeof who->host, "room for a name and its end");
    if (uname(&system) == 0)
        memcpy(who->host, system.nodename, strnlen(system.nodename, sizeof system.nodename));
    who->pid_namespace = trc_namespace("/proc/self/ns/pid");
    who->time_namespace = trc_namespace("/proc/self/ns/time");
    who->started = trc_started();
}
