/* tool_log.c: an OMPT tool that records every event of a program, for `opari tool-log` to print.
 *
 * It uses only the public interface, so it works with any runtime that has one. OPARI_TOOL_LOG
 * names the files: a log NAME.PID for each process (event_file.h), and NAME.PID.maps with copies of
 * /proc/self/maps to resolve addresses. Without the variable the tool declines.
 * OPARI_TOOL_LOG_EVENTS lists the numbers of the events to record; the default is all.
 *
 * A thread writes to chunks of its own. Locks and shared writes occur only when a thread takes a
 * chunk.
 */
#define _GNU_SOURCE
#include "../src/omp_tools.h"
#include "event_file.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FIRST_CHUNK LOG_STEP /* small, because a program may have thousands of short threads */
#define NEXT_CHUNK (16 * LOG_STEP)
#define EVENTS 64

static struct {
    char prefix[PATH_MAX - 64];
    char runtime[128];
    unsigned omp_version;
    uint64_t wanted; /* bit n: event n is recorded */
    int fd;          /* -1: there is none yet, or it could not be made */
    int failed;      /* there is no room or no file */
    uint64_t end;    /* bytes of the file that chunks occupy; atomic */
    struct log_head *head;
    char maps[PATH_MAX];
    uint64_t next_maps; /* time from which the next copy of the load map is due */
    uint32_t threads;
    pthread_mutex_t lock;
} out = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct {
    struct log_chunk *chunk;
    uint32_t number;    /* 1 + the thread's number; 0: it has none yet */
    uint64_t ids;       /* how many ids it has assigned */
    uint64_t operation; /* the last one that got an id */
} self;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- files */

/* Appends the load map to its file. This happens rarely and at growing intervals: only libraries
 * that are loaded later change the map. */
static void copy_maps(void)
{
    char text[8192];
    ssize_t n;
    int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    int to = open(out.maps, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    while (from >= 0 && to >= 0 && (n = read(from, text, sizeof text)) > 0)
        if (write(to, text, (size_t)n) != n)
            break;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    out.next_maps = out.head == NULL ? 0 : now() + 2 * (now() - out.head->start) + 10000000u;
}

/* Maps length bytes of the log from offset on; NULL on failure. It allocates the space first, so
 * that a full disk is an error here and no SIGBUS later. */
static void *map(uint64_t offset, size_t length)
{
    void *p;
    if (posix_fallocate(out.fd, (off_t)offset, (off_t)length) != 0)
        return NULL;
    p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, out.fd, (off_t)offset);
    return p == MAP_FAILED ? NULL : p;
}

/* Makes the log of this process. After an exec there is already a log with the same process number.
 * The caller holds the lock. */
static void create(void)
{
    char name[PATH_MAX];
    ssize_t n;
    for (int i = 0; i < 100 && out.fd < 0; i++) {
        (void)snprintf(name, sizeof name, i == 0 ? "%s.%ld" : "%s.%ld-%d", out.prefix,
                       (long)getpid(), i);
        out.fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    if (out.fd < 0 || (out.head = map(0, LOG_HEAD)) == NULL) {
        out.failed = 1;
        return;
    }
    (void)snprintf(out.maps, sizeof out.maps, "%.*s.maps", (int)sizeof out.maps - 8, name);
    out.head->start = now();
    out.head->pid = (uint32_t)getpid();
    out.head->omp_version = out.omp_version;
    memcpy(out.head->runtime, out.runtime, sizeof out.runtime);
    n = readlink("/proc/self/exe", out.head->program, sizeof out.head->program - 1);
    out.head->program[n < 0 ? 0 : n] = 0;
    __atomic_store_n(&out.end, LOG_HEAD, __ATOMIC_RELAXED);
    out.head->magic = LOG_MAGIC;
    copy_maps();
}

static void release_chunk(void)
{
    if (self.chunk != NULL)
        munmap(self.chunk, self.chunk->size);
    self.chunk = NULL;
}

/* Gives the thread its next chunk. Once there is no room for one, no thread gets any more, and the
 * log counts the lost events. */
static void take_chunk(void)
{
    uint32_t size = self.chunk == NULL ? FIRST_CHUNK : NEXT_CHUNK;
    uint64_t offset;
    release_chunk();
    pthread_mutex_lock(&out.lock);
    if (out.fd < 0 && !out.failed)
        create();
    if (self.number == 0)
        self.number = ++out.threads;
    if (!out.failed && now() >= out.next_maps)
        copy_maps();
    pthread_mutex_unlock(&out.lock);
    if (out.failed)
        return;
    offset = __atomic_fetch_add(&out.end, size, __ATOMIC_RELAXED);
    if ((self.chunk = map(offset, size)) == NULL) {
        out.failed = 1;
        return;
    }
    self.chunk->thread = self.number - 1;
    self.chunk->tid = (uint32_t)syscall(SYS_gettid);
    self.chunk->used = sizeof(struct log_chunk);
    self.chunk->size = size;
}

/* Returns the next record of the calling thread, with time and event set; NULL if the event is not
 * wanted or there is no room. */
static struct log_record *record(unsigned event)
{
    struct log_record *r;
    if (event < EVENTS && (out.wanted >> event & 1) == 0)
        return NULL;
    if (self.chunk == NULL || self.chunk->used + sizeof *r > self.chunk->size)
        take_chunk();
    if (self.chunk == NULL) {
        if (out.head != NULL)
            __atomic_fetch_add(&out.head->lost, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    r = (struct log_record *)((char *)self.chunk + self.chunk->used);
    r->time = now();
    r->event = (uint16_t)event;
    /* The process may be killed at any moment. A record counts as soon as used includes it, and its
     * fields follow at once. */
    self.chunk->used += (uint32_t)sizeof *r;
    return r;
}

/* ---- ids */

static uint64_t new_id(void)
{
    if (self.number == 0) {
        pthread_mutex_lock(&out.lock);
        self.number = ++out.threads;
        pthread_mutex_unlock(&out.lock);
    }
    return (uint64_t)self.number << 40 | ++self.ids;
}

static uint64_t id_of(const ompt_data_t *data) { return data == NULL ? 0 : data->value; }

/* Returns the id of the object that data belongs to, and assigns one if it has none. */
static uint64_t name(ompt_data_t *data)
{
    if (data != NULL && data->value == 0)
        data->value = new_id();
    return id_of(data);
}

static uint64_t address(const void *p) { return (uint64_t)(uintptr_t)p; }

#include "tool_log_events.c"

/* ---- the tool's life */

/* In the child the mapped chunk is still the parent's. The child gets a log of its own if it has
 * events. */
static void in_child(void)
{
    if (out.fd >= 0)
        close(out.fd);
    if (out.head != NULL)
        munmap(out.head, LOG_HEAD);
    out.head = NULL;
    out.fd = -1;
    out.failed = 0;
    release_chunk();
    pthread_mutex_init(&out.lock, NULL);
}

static uint64_t wanted(const char *list)
{
    uint64_t bits = 0;
    char *end;
    if (list == NULL)
        return ~(uint64_t)0;
    while (*list != 0) {
        unsigned long n = strtoul(list, &end, 10);
        if (end == list)
            break;
        if (n < EVENTS)
            bits |= (uint64_t)1 << n;
        list = *end == ',' ? end + 1 : end;
    }
    return bits;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)tool_data;
    if (set == NULL)
        return 0;
    pthread_mutex_lock(&out.lock);
    if (out.fd < 0 && !out.failed)
        create();
    pthread_mutex_unlock(&out.lock);
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++) {
        int event = callbacks[i].event;
        if ((out.wanted >> event & 1) == 0 && !callbacks[i].names)
            continue;
        if (set((ompt_callbacks_t)event, callbacks[i].callback) <= ompt_set_impossible &&
            callbacks[i].instead != NULL) {
            event = callbacks[i].instead_event;
            out.wanted |= (uint64_t)1 << event;
            (void)set((ompt_callbacks_t)event, callbacks[i].instead);
        }
    }
    return 1;
}

static void finalize(ompt_data_t *tool_data)
{
    (void)tool_data;
    pthread_mutex_lock(&out.lock);
    if (out.head != NULL) {
        copy_maps();
        out.head->finalized = 1;
    }
    pthread_mutex_unlock(&out.lock);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version);

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    static int once;
    const char *prefix = getenv("OPARI_TOOL_LOG");
    if (prefix == NULL || *prefix == 0 || strlen(prefix) >= sizeof out.prefix)
        return NULL;
    (void)snprintf(out.prefix, sizeof out.prefix, "%s", prefix);
    (void)snprintf(out.runtime, sizeof out.runtime, "%s",
                   runtime_version == NULL ? "" : runtime_version);
    out.omp_version = omp_version;
    out.wanted = wanted(getenv("OPARI_TOOL_LOG_EVENTS"));
    if (!once && pthread_atfork(NULL, NULL, in_child) == 0)
        once = 1;
    return &result;
}
