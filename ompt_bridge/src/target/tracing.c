/* tracing.c: the device tracing interface, OpenMP 5.1 [4.6.2] and section 6 of the report of 2016:
 * how records reach a tool's buffers.
 *
 * Host threads append records to the device's buffer under its lock. A thread of the library's own,
 * one for each traced device, requests the buffers from the tool and returns them. Both generations
 * demand that no OpenMP thread runs these callbacks.
 *
 * A device holds at most one buffer: it returns a full one before it requests the next, and a
 * thread with a record waits meanwhile. So no record is lost, and the interface needs no memory but
 * the tool's. Only where the tool gives no buffer are records lost; recording is then off until the
 * tool starts it again.
 */
#include "../core/bridge.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { OPARI_DEVICES = 16 }; /* devices from number 0 on; others have no handle */

enum { OPARI_TRACE_OFF, OPARI_TRACE_ON, OPARI_TRACE_REFUSED /* the tool gave no buffer */ };

/* A mapped range of the host's memory. */
struct opari_present {
    uintptr_t begin, end;
    void *device;
    unsigned count; /* references; 0: the program has associated it, and will end that itself */
};

struct opari_device {
    pthread_mutex_t lock; /* protects the fields from here to thread */
    pthread_cond_t wake, served;
    ompt_callback_buffer_request_t request;
    ompt_callback_buffer_complete_t complete;
    char *buffer;
    size_t size, at;
    int tracing, paused;
    int older;            /* complete is that of 2016, with four parameters */
    int exchange;         /* a thread has a record for which there is no room */
    int returns;          /* the buffer must go back even if it is empty */
    int ending;           /* the thread must end */
    unsigned asked, done; /* how often somebody has asked to deliver everything, and how often that
                             was done */
    uint64_t lost;        /* records, since the beginning */
    int running;          /* whether thread exists */
    pthread_t thread;
    unsigned events;               /* bit n: event n is recorded, in the numbers without emi */
    unsigned native;               /* ompt_native_mon_flag_t */
    int number, host, made, known; /* known: its initialization has been raised */
    double offset;                 /* of omp_get_wtime from this file's clock, in seconds */
    struct opari_present *present; /* ordered by address; opari_devices.mapping protects it */
    size_t presents, room;
};

static struct {
    pthread_mutex_t lock; /* held while a device becomes known */
    pthread_mutex_t mapping;
    struct opari_device device[OPARI_DEVICES];
    /* The record of the library's own threads that call tools: never ready. */
    struct opari_thread server;
} opari_devices = {.lock = PTHREAD_MUTEX_INITIALIZER, .mapping = PTHREAD_MUTEX_INITIALIZER};

static int opari_initial_number = -1; /* the number of the initial device; -1: not known yet */
extern double omp_get_wtime(void) __attribute__((weak));

static uint64_t opari_device_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* the clock of libgomp's omp_get_wtime */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A buffer contains a head and then records, each of which begins with its size. Nothing is
 * aligned: a buffer may lie anywhere, and a tool may copy it. */
struct opari_buffer_head {
    uint64_t magic, end; /* end: how many bytes are in use, with the head */
};

enum { OPARI_BUFFER_LEAST = 512, OPARI_AFTER_HEAD = sizeof(struct opari_buffer_head) };
#define OPARI_BUFFER_MAGIC 0x6f70617269627566u

struct opari_record_head {
    uint32_t size; /* in bytes, with the head */
    uint32_t type; /* ompt_record_t */
};

/* An OpenMP record, as it lies in a buffer. */
struct opari_record {
    struct opari_record_head head;
    ompt_record_ompt_t ompt;
    ompt_data_t *thread; /* the data word that a tool of 2016 gets */
};

/* A native record: what a device did. opari_device_documentation documents it for tools. */
struct opari_native {
    struct opari_record_head head;
    uint64_t kind; /* ompt_native_mon_flag_t; 0: records were lost, and bytes is their number */
    uint64_t start, end, hwid, host_op_id, bytes;
};

/* Returns the buffer to the tool. The caller holds the lock, which is free during the tool's
 * callback. */
static void opari_device_deliver(struct opari_device *d)
{
    const struct opari_buffer_head head = {OPARI_BUFFER_MAGIC, d->at};
    char *buffer = d->buffer;
    const size_t size = d->size;
    d->buffer = NULL;
    memcpy(buffer, &head, sizeof head);
    pthread_mutex_unlock(&d->lock);
    if (d->older)
        ((void (*)(int32_t, const void *, size_t, uint64_t))(ompt_callback_t)d->complete)(
            d->number, buffer, size, OPARI_AFTER_HEAD);
    else
        d->complete(d->number, buffer, size, OPARI_AFTER_HEAD, 1);
    pthread_mutex_lock(&d->lock);
}

static void opari_device_request(struct opari_device *d)
{
    ompt_buffer_t *buffer = NULL;
    size_t size = 0;
    pthread_mutex_unlock(&d->lock);
    d->request(d->number, &buffer, &size);
    pthread_mutex_lock(&d->lock);
    const int given = buffer != NULL && size >= OPARI_BUFFER_LEAST,
              kept = given && d->tracing == OPARI_TRACE_ON;
    if (!given && d->tracing == OPARI_TRACE_ON)
        OPARI_STORE(&d->tracing, OPARI_TRACE_REFUSED);
    if (buffer == NULL || size < sizeof(struct opari_buffer_head))
        return;
    d->buffer = buffer;
    d->size = size;
    d->at = OPARI_AFTER_HEAD;
    if (!kept)
        opari_device_deliver(d);
}

static void *opari_device_serve(void *argument)
{
    struct opari_device *d = argument;
    opari_self = opari_here = &opari_devices.server;
    pthread_mutex_lock(&d->lock);
    while (!d->ending || d->asked != d->done) {
        const unsigned asked = d->asked;
        const int empty = d->at == OPARI_AFTER_HEAD;
        if (d->buffer != NULL && (d->exchange || (asked != d->done && (d->returns || !empty))))
            opari_device_deliver(d);
        d->returns = d->returns && asked != d->asked;
        if (d->exchange && d->buffer == NULL && d->tracing == OPARI_TRACE_ON)
            opari_device_request(d);
        d->exchange = 0;
        d->done = asked;
        pthread_cond_broadcast(&d->served);
        while (!d->exchange && d->asked == d->done && !d->ending)
            pthread_cond_wait(&d->wake, &d->lock);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

/* Returns room for a record; null: it is not recorded. The caller holds the lock. */
static char *opari_device_room(struct opari_device *d, size_t size)
{
    while (d->tracing == OPARI_TRACE_ON && !d->paused) {
        if (d->buffer != NULL && size <= d->size - d->at) {
            d->at += size;
            return d->buffer + d->at - size;
        }
        if (d->buffer != NULL && d->at == OPARI_AFTER_HEAD)
            break; /* it fits into no buffer of this size */
        d->exchange = 1;
        int cancel;
        (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
        pthread_cond_signal(&d->wake);
        while (d->exchange)
            pthread_cond_wait(&d->served, &d->lock);
        (void)pthread_setcancelstate(cancel, NULL);
    }
    if (d->tracing != OPARI_TRACE_OFF && !d->paused)
        d->lost++;
    return NULL;
}

/* Appends a record of one or two parts. */
static void opari_device_record(struct opari_device *d, struct opari_record_head *head, size_t size,
                                const void *more, size_t more_size)
{
    head->size = (uint32_t)(size + more_size);
    pthread_mutex_lock(&d->lock);
    char *room = opari_device_room(d, size + more_size);
    if (room != NULL) {
        memcpy(room, head, size);
        if (more_size != 0)
            memcpy(room + size, more, more_size);
    }
    pthread_mutex_unlock(&d->lock);
}

/* Waits until the tool has everything that was recorded. In a callback on the device's own thread,
 * that happens after the callback. The caller holds the lock. */
static void opari_device_flush(struct opari_device *d, int returns)
{
    if (!d->running)
        return;
    const unsigned ticket = ++d->asked;
    if (returns)
        d->returns = 1;
    pthread_cond_signal(&d->wake);
    if (pthread_equal(pthread_self(), d->thread))
        return;
    int cancel;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    while ((int)(d->done - ticket) < 0)
        pthread_cond_wait(&d->served, &d->lock);
    (void)pthread_setcancelstate(cancel, NULL);
}

/* Returns the device of a handle; null where it is no handle. */
static struct opari_device *opari_device_checked(void *handle)
{
    struct opari_device *d = handle;
    const size_t at = (size_t)((char *)handle - (char *)opari_devices.device);
    return at < sizeof opari_devices.device && at % sizeof *d == 0 && OPARI_ACQUIRE(&d->made)
               ? d
               : NULL;
}

/* Starts the device's thread unless it runs. The thread blocks all signals: a handler of the
 * program or of a sampling tool has nothing to do there. The caller holds the lock. */
static int opari_device_run(struct opari_device *d)
{
    sigset_t all, before;
    if (d->running)
        return 1;
    d->ending = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    d->running = pthread_create(&d->thread, NULL, opari_device_serve, d) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return d->running;
}

static int opari_device_start(void *handle, ompt_callback_buffer_request_t request,
                              ompt_callback_buffer_complete_t complete, int older)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL || request == NULL || complete == NULL)
        return 0;
    pthread_mutex_lock(&d->lock);
    const int starts = d->tracing != OPARI_TRACE_ON && opari_device_run(d);
    if (starts) {
        d->request = request;
        d->complete = complete;
        d->older = older;
        d->paused = 0;
        OPARI_STORE(&d->tracing, OPARI_TRACE_ON);
        (void)__atomic_fetch_or(&opari_devices_traced, 1u << d->number, __ATOMIC_RELAXED);
        OPARI_STORE(&opari_targets_observed, OPARI_LOAD(&opari_targets_observed) |
                                                 OPARI_TARGETS_ANY | OPARI_TARGETS_RECORDS);
    }
    pthread_mutex_unlock(&d->lock);
    return starts;
}

static int opari_start_trace(void *handle, ompt_callback_buffer_request_t request,
                             ompt_callback_buffer_complete_t complete)
{
    return opari_device_start(handle, request, complete, 0);
}

static int opari_pause_trace(void *handle, int begin)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL)
        return 0;
    pthread_mutex_lock(&d->lock);
    const int traced = d->tracing != OPARI_TRACE_OFF;
    if (traced)
        d->paused = begin != 0;
    pthread_mutex_unlock(&d->lock);
    return traced;
}

static int opari_flush_trace(void *handle)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL)
        return 0;
    pthread_mutex_lock(&d->lock);
    const int traced = d->tracing != OPARI_TRACE_OFF;
    if (traced)
        opari_device_flush(d, 0);
    pthread_mutex_unlock(&d->lock);
    return traced;
}

static int opari_stop_trace(void *handle)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL)
        return 0;
    pthread_mutex_lock(&d->lock);
    const int traced = d->tracing != OPARI_TRACE_OFF;
    OPARI_STORE(&d->tracing, OPARI_TRACE_OFF);
    (void)__atomic_fetch_and(&opari_devices_traced, ~(1u << d->number), __ATOMIC_RELAXED);
    if (traced)
        opari_device_flush(d, 1);
    pthread_mutex_unlock(&d->lock);
    return traced;
}

/* Ends tracing and the device's thread. */
static void opari_device_end(struct opari_device *d)
{
    (void)opari_stop_trace(d);
    pthread_mutex_lock(&d->lock);
    const int joins = d->running && !pthread_equal(pthread_self(), d->thread);
    d->ending = 1;
    pthread_cond_signal(&d->wake);
    pthread_mutex_unlock(&d->lock);
    if (!joins)
        return;
    (void)pthread_join(d->thread, NULL);
    d->running = 0;
}

/* A forked child has none of these threads, and the buffers are the parent's. */
static void opari_devices_child(void)
{
    (void)pthread_mutex_init(&opari_devices.lock, NULL);
    OPARI_STORE(&opari_devices_traced, 0u);
    for (int i = 0; i < OPARI_DEVICES; i++) {
        struct opari_device *d = &opari_devices.device[i];
        (void)pthread_mutex_init(&d->lock, NULL);
        (void)pthread_cond_init(&d->wake, NULL);
        (void)pthread_cond_init(&d->served, NULL);
        OPARI_STORE(&d->tracing, OPARI_TRACE_OFF);
        d->buffer = NULL;
        d->exchange = d->returns = d->running = d->known = 0;
        d->done = d->asked;
    }
}
