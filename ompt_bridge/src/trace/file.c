/* file.c: the trace recorder's files, its regions and the filter. Only one in TRC_STEP events runs
 * any of this.
 *
 * DIRECTORY/PID.meta is the process: struct trc_meta, then a line for each region that was met.
 * DIRECTORY/PID.N is its thread N. After an exec the same process begins again as PID-1. Without a
 * file the recorder goes on and counts the records as lost.
 */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct trc_meta trc_no_meta; /* replaces the file of a process that has none */

static struct {
    pthread_mutex_t lock;
    struct trc_thread *all, *free;
    struct trc_meta *meta;
    unsigned made;    /* trc.process at the time the process's file was made */
    unsigned regions; /* numbers given so far */
    off_t rows;       /* bytes of their lines */
    char *filter;     /* rules, each ending in a 0 byte: + or -, k or another letter, and a pattern;
                         then one more 0 */
    size_t directory; /* length of the directory in stem, with the slash */
    char stem[PATH_MAX];
} trc_files = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, &trc_no_meta, 0, 0, 0, NULL, 0, ""};

/* flags are those of open. A negative value removes the file. */
static OPARI_COLD int trc_open(const char *ending, int flags)
{
    char path[PATH_MAX + 32];
    size_t n = strlen(trc_files.stem);
    memcpy(path, trc_files.stem, n);
    memcpy(path + n, ending, strlen(ending) + 1);
    if (flags < 0)
        return unlink(path);
    return open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static OPARI_COLD void trc_failed(uint64_t lost)
{
    uint64_t none = 0;
    (void)__atomic_fetch_add(&trc_files.meta->lost, lost, __ATOMIC_RELAXED);
    (void)__atomic_compare_exchange_n(&trc_files.meta->error, &none, (uint64_t)errno, 0,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Writes all n bytes at the given offset, or fails. It tests the limit of a file's size first,
 * because to exceed it would send the program a signal. */
static OPARI_COLD int trc_write(int fd, const void *from, size_t n, off_t at)
{
    struct rlimit most;
    if (fd < 0)
        return 0;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < (rlim_t)at + n) {
        errno = EFBIG;
        return 0;
    }
    errno = ENOSPC; /* for a write that is incomplete */
    return pwrite(fd, from, n, at) == (ssize_t)n;
}

/* Makes the n bytes at p the beginning of the new file, and closes it: later stores to these bytes
 * go into the file. On failure it removes the file. */
static OPARI_COLD int trc_map(const char *ending, int fd, void *p, size_t n)
{
    if (fd < 0)
        return 0;
    int good = trc_write(fd, p, n, 0);
    if (good) {
        void *mapped = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        /* The mremap function will not do. UCX, which comes with some MPIs, replaces it by one
         * without a fifth argument, which maps the file at address 0. */
        good = mapped != MAP_FAILED &&
               syscall(SYS_mremap, mapped, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, p) ==
                   (long)(intptr_t)p;
    }
    if (!good)
        (void)trc_open(ending, -1);
    (void)close(fd);
    return good;
}

/* Copies the rows that the parent had written when it forked. */
static OPARI_COLD void trc_copy_rows(int from, int to)
{
    for (off_t at = 0; at < trc_files.rows;) {
        size_t part = (size_t)(trc_files.rows - at) < sizeof rec_out.buffer
                          ? (size_t)(trc_files.rows - at)
                          : sizeof rec_out.buffer;
        ssize_t n = pread(from, rec_out.buffer, part, TRC_META + at);
        if (n <= 0 || !trc_write(to, rec_out.buffer, (size_t)n, TRC_META + at))
            break;
        at += n;
    }
}

/* Makes the process's file. The caller holds both locks. */
static OPARI_COLD void trc_make_meta(void)
{
    char digits[24];
    int fd, parent = trc_files.rows > 0 ? trc_open(".meta", O_RDONLY) : -1;
    struct trc_meta *meta =
        mmap(NULL, TRC_META, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    trc_files.made = trc.process;
    trc_files.meta = meta != MAP_FAILED ? meta : &trc_no_meta;
    if (meta == MAP_FAILED)
        return;
    meta->magic = TRC_MAGIC;
    meta->pid = (uint64_t)getpid();
    meta->tsc = (uint64_t)rec_clock.tsc;
    meta->start_ticks = rec_clock.start_ticks;
    meta->start_ns = rec_clock.start_ns;
    meta->generation = trc.process;
    meta->cost = OPARI_LOAD(&rec_clock.cost);
    meta->left_out = rec_left_out;
    (void)readlink("/proc/self/exe", meta->program, sizeof meta->program - 1);
    trc_identify(&meta->identity);
    char *number = trc_files.stem + trc_files.directory;
    number[-1] = 0; /* opari run, which made the directory, may have ended and removed it since */
    (void)mkdir(trc_files.stem, 0777);
    number[-1] = '/';
    const char *pid = rec_digits(digits + sizeof digits, meta->pid);
    memcpy(number, pid, strlen(pid) + 1);
    size_t n = strlen(number);
    for (unsigned again = 1; (fd = trc_open(".meta", O_RDWR | O_CREAT | O_EXCL)) < 0 &&
                             errno == EEXIST && again < 10000;
         again++) {
        const char *more = rec_digits(digits + sizeof digits, again);
        number[n] = '-';
        memcpy(number + n + 1, more, strlen(more) + 1);
    }
    if (parent >= 0) {
        trc_copy_rows(parent, fd);
        (void)close(parent);
    }
    if (!trc_map(".meta", fd, meta, TRC_META))
        trc_failed(0);
}

/* Makes the thread's file. Without one the thread goes on in anonymous memory. */
static OPARI_COLD void trc_attach(struct trc_thread *r)
{
    char ending[24], *digits;
    pthread_mutex_lock(&trc_files.lock);
    pthread_mutex_lock(&rec_out.lock);
    if (trc_files.made != trc.process)
        trc_make_meta();
    pthread_mutex_unlock(&rec_out.lock);
    trc_files.meta->threads += r->process == 0;
    pthread_mutex_unlock(&trc_files.lock);
    r->process = trc.process;
    r->written = 1;
    digits = rec_digits(ending + sizeof ending, r->number);
    *--digits = '.';
    r->dead = !trc_map(digits, trc_open(digits, O_RDWR | O_CREAT | O_EXCL), r, TRC_CHUNK);
    if (r->dead)
        trc_failed(0);
}

/* Runs when the chunk is full, or when it is time to read both clocks. */
static OPARI_COLD void trc_full(struct trc_thread *r)
{
    int saved = errno, cancel;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,
                                 &cancel); /* a write is a cancellation point */
    if (r->process != trc.process)
        trc_attach(r);
    r->ticks = rec_now();
    r->ns = rec_clock_ns();
    if (r->used >= TRC_WORDS) {
        char ending[24], *digits = rec_digits(ending + sizeof ending, r->number);
        *--digits = '.';
        int fd = r->dead ? -1 : trc_open(digits, O_WRONLY);
        if (trc_write(fd, r, TRC_CHUNK, (off_t)r->written * TRC_CHUNK))
            r->written++;
        else
            trc_failed(r->used);
        if (fd >= 0)
            (void)close(fd);
        r->first = trc_last(r);
        OPARI_RELEASE(&r->used, 0u); /* before the sequence, so that a chunk is never in the file
                                        twice */
        trc_rebase(r, r->first);
        OPARI_RELEASE(&r->sequence, r->sequence + 1);
    }
    r->limit = r->used + TRC_STEP < TRC_WORDS ? r->used + TRC_STEP : TRC_WORDS - 1;
    (void)pthread_setcancelstate(cancel, NULL);
    errno = saved;
}

/* Whether the filter keeps region d. The last rule that matches decides. A pattern without a slash
 * matches the last element of the file's path. */
static OPARI_COLD int trc_wanted(const struct ompregdescr *d)
{
    int wanted = 1;
    for (const char *rule = trc_files.filter; rule != NULL && *rule != 0;
         rule += strlen(rule) + 1) {
        const char *text = d->file_name, *slash, *pattern = rule + 2;
        if (rule[1] == 'k')
            text = rec_out.kind_name(d->kind);
        else if (rule[1] == 'n')
            text = d->sub_name != NULL && d->sub_name[0] != 0 ? d->sub_name : d->name;
        else if (text != NULL && strchr(pattern, '/') == NULL &&
                 (slash = strrchr(text, '/')) != NULL)
            text = slash + 1;
        if (fnmatch(pattern, text != NULL ? text : "", 0) == 0)
            wanted = rule[0] == '+';
    }
    return wanted;
}

/* Appends a line about the region to the process's file. */
static OPARI_COLD void trc_write_row(size_t number, const struct ompregdescr *d,
                                     void (*line)(size_t, const struct ompregdescr *))
{
    struct stat is;
    pthread_mutex_lock(&rec_out.lock);
    rec_out.fd = -1;
    rec_out.used = 0;
    rec_out.failed = 0;
    if (trc_files.made != trc.process)
        trc_make_meta();
    line(number, d);
    int fd = trc_open(".meta", O_WRONLY);
    if (fd < 0 || fstat(fd, &is) != 0 ||
        !trc_write(fd, rec_out.buffer, rec_out.used, TRC_META + trc_files.rows))
        trc_failed(0);
    else
        trc_files.rows += (off_t)rec_out.used;
    if (fd >= 0)
        (void)close(fd);
    pthread_mutex_unlock(&rec_out.lock);
}

/* Assigns the region's number and returns it at its place in a record; 0: unknown, 1: the filter
 * drops the region. */
static OPARI_COLD uintptr_t trc_region(struct ompregdescr *d)
{
    int saved = errno, cancel;
    if (d == NULL)
        return 0;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&trc_files.lock);
    uintptr_t id = (uintptr_t)d->data[3];
    if (id == 0 && !trc_wanted(d)) {
        id = 1;
        trc_files.meta->left_out.regions = ++rec_left_out.regions;
    } else if (id == 0 && trc_files.regions + 1 < 1u << TRC_ID_BITS) {
        id = (uintptr_t)++trc_files.regions << TRC_OP_BITS;
        trc_write_row(trc_files.regions, d, rec_write_region);
    }
    OPARI_RELEASE(&d->data[3], (void *)id);
    pthread_mutex_unlock(&trc_files.lock);
    (void)pthread_setcancelstate(cancel, NULL);
    errno = saved;
    return id;
}

/* Notes in the process's file that a function is off. */
static OPARI_COLD void trc_function_off(struct ompregdescr *d)
{
    int saved = errno, cancel;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&trc_files.lock);
    trc_files.meta->left_out.functions = OPARI_LOAD(&rec_left_out.functions);
    const uintptr_t id = (uintptr_t)d->data[3];
    if (id > 1) /* the filter keeps it */
        trc_write_row((size_t)(id >> TRC_OP_BITS), d, rec_write_off);
    pthread_mutex_unlock(&trc_files.lock);
    (void)pthread_setcancelstate(cancel, NULL);
    errno = saved;
}

/* Updates the copy of rec_left_out in the process's file. */
static OPARI_COLD void trc_keep_left_out(void)
{
    pthread_mutex_lock(&trc_files.lock);
    trc_files.meta->left_out = rec_left_out;
    pthread_mutex_unlock(&trc_files.lock);
}

/* directory is that from the environment. filter is null or consists of lines: first a number of
 * ns, then rules. numbers says whether tasks get numbers. */
static OPARI_COLD void trc_configure(const char *directory, const char *filter, int numbers)
{
    uint64_t least = 0;
    int saved = errno;
    rec_left_out_changed = trc_keep_left_out;
    rec_function_off = trc_function_off;
    trc.numbers = numbers;
    size_t n = rec_absolute(trc_files.stem, sizeof trc_files.stem - 32, directory);
    if (n > 0) {
        (void)mkdir(trc_files.stem, 0777);
        trc_files.stem[n++] = '/';
    }
    trc_files.directory = n;
    if (filter != NULL) {
        size_t length = strlen(filter);
        char *rules = opari_memory(length + 2);
        const uint64_t number = rec_filter_number(filter);
        for (; *filter >= '0' && *filter <= '9'; filter++, length--)
            least = 10 * least + (uint64_t)(*filter - '0');
        if (rules != NULL && *filter == '\n') {
            memcpy(rules, filter + 1, length);
            for (char *end = rules; (end = strchr(end, '\n')) != NULL;)
                *end++ = 0;
            for (const char *rule = rules; *rule != 0; rule += strlen(rule) + 1)
                rec_left_out.rules++;
            trc_files.filter = rules;
            rec_left_out.minimum = least;
            rec_left_out.filter = rec_left_out.rules > 0 || least > 0 ? number : 0;
        }
    }
    if (least > 0) {
        rec_clock_stop();
        trc.minimum = (uint64_t)((double)least / rec_clock.ns_per_tick);
    }
    errno = saved;
}
