/* tracing_inquiry.c: the entry points of a device, which its lookup returns to tools of both
 * generations: times, the choice of records, and access to records. A record's fields are assembled
 * in thread-local storage, OpenMP 5.1 [4.6.2.12]. */
#include "../core/bridge.h"

#include <string.h>

static const char opari_device_documentation[] =
    "A native record is { uint32_t size, type; uint64_t kind, start, end, hwid, host_op_id, bytes; "
    "}: kind is an "
    "ompt_native_mon_flag_t, start and end are times of the device in nanoseconds, hwid is the "
    "operating system's number of the "
    "thread. Kinds: ompt_native_kernel_execution, a target region on the thread that executes it; "
    "ompt_native_kernel_invocation, from the "
    "meeting of the construct to that; ompt_native_data_motion_explicit, omp_target_memcpy; "
    "ompt_native_idleness, what a thread that "
    "executes target regions spends between two of them. uint64_t "
    "opari_get_records_lost(ompt_device_t *device): how many records "
    "there were for which the tool gave no buffer.";

static int opari_get_device_num_procs(void *handle)
{
    const struct opari_device *d = opari_device_checked(handle);
    /* Only their runtime knows the number of processors of other devices. */
    return d != NULL && d->host ? opari_get_num_procs() : -1;
}

static uint64_t opari_get_device_time(void *handle)
{
    return opari_device_checked(handle) != NULL ? opari_device_now() : 0;
}

static double opari_translate_time(void *handle, uint64_t time)
{
    const struct opari_device *d = opari_device_checked(handle);
    return d != NULL ? (double)time * 1e-9 + d->offset : 0;
}

static uint64_t opari_get_records_lost(void *handle)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL)
        return 0;
    pthread_mutex_lock(&d->lock);
    const uint64_t lost = d->lost;
    pthread_mutex_unlock(&d->lock);
    return lost;
}

/* Returns the number without emi of an event; 0: devices do not record it. */
static int opari_traced_event(unsigned event)
{
    switch (event) {
    case ompt_callback_target:
    case ompt_callback_target_emi: return ompt_callback_target;
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi: return ompt_callback_target_data_op;
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi: return ompt_callback_target_submit;
    case ompt_callback_target_map:
    case ompt_callback_target_map_emi: return ompt_callback_target_map;
    default: return 0;
    }
}

enum {
    OPARI_TRACED = 1 << ompt_callback_target | 1 << ompt_callback_target_data_op |
                   1 << ompt_callback_target_submit | 1 << ompt_callback_target_map,
    OPARI_TRACED_2016 = 1 << ompt_callback_target_data_op |
                        1 << ompt_callback_target_submit, /* A.6 has no others */
    OPARI_TRACED_NATIVE = ompt_native_data_motion_explicit | ompt_native_kernel_invocation |
                          ompt_native_kernel_execution | ompt_native_idleness
};

static void opari_trace_which(unsigned *which, int enable, unsigned bits)
{
    OPARI_STORE(which, enable ? *which | bits : *which & ~bits);
}

static ompt_set_result_t opari_set_trace_ompt(void *handle, unsigned enable, unsigned event)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL || event > ompt_callback_error)
        return ompt_set_error;
    const unsigned bits = event == 0                       ? (unsigned)OPARI_TRACED
                          : opari_traced_event(event) != 0 ? 1u << opari_traced_event(event)
                                                           : 0;
    opari_trace_which(&d->events, enable != 0, bits);
    return event == 0 ? ompt_set_sometimes : bits != 0 ? ompt_set_always : ompt_set_impossible;
}

/* Switches the given kinds on or off. Returns 2 if all of them can be recorded, 1 if some can, else
 * 0. */
static int opari_trace_native(struct opari_device *d, int enable, unsigned flags)
{
    const unsigned bits = flags & OPARI_TRACED_NATIVE;
    opari_trace_which(&d->native, enable, bits);
    return bits == flags ? 2 : bits != 0;
}

static ompt_set_result_t opari_set_trace_native(void *handle, int enable, int flags)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL || flags <= 0 || flags > 255)
        return ompt_set_error;
    static const unsigned char answers[] = {ompt_set_impossible, ompt_set_sometimes,
                                            ompt_set_always};
    return (ompt_set_result_t)answers[opari_trace_native(d, enable, (unsigned)flags)];
}

/* Copies the head of the record at a cursor. Returns its type; ompt_record_invalid where there is
 * no record. */
static int opari_record_at(const char *buffer, uint64_t cursor, struct opari_record_head *head)
{
    struct opari_buffer_head b;
    head->type = ompt_record_invalid;
    if (buffer == NULL)
        return ompt_record_invalid;
    memcpy(&b, buffer, sizeof b);
    if (b.magic != OPARI_BUFFER_MAGIC || cursor < sizeof b || cursor + sizeof *head > b.end)
        return ompt_record_invalid;
    memcpy(head, buffer + cursor, sizeof *head);
    if (head->size < sizeof *head || head->size > b.end - cursor)
        head->type = ompt_record_invalid;
    return (int)head->type;
}

static ompt_record_t opari_get_record_type(void *buffer, uint64_t cursor)
{
    struct opari_record_head head;
    return (ompt_record_t)opari_record_at(buffer, cursor, &head);
}

static int opari_advance_cursor(const void *buffer, size_t size, uint64_t current, uint64_t *next)
{
    struct opari_record_head head;
    if (opari_record_at(buffer, current, &head) == ompt_record_invalid ||
        current + head.size >= size)
        return 0;
    const uint64_t to = current + head.size;
    if (opari_record_at(buffer, to, &head) == ompt_record_invalid)
        return 0;
    *next = to;
    return 1;
}

static int opari_advance_buffer_cursor(void *handle, void *buffer, size_t size, uint64_t current,
                                       uint64_t *next)
{
    return opari_device_checked(handle) != NULL &&
           opari_advance_cursor(buffer, size, current, next);
}

/* The arrays of a record of mapping follow it in the buffer. */
static ompt_record_ompt_t *opari_get_record_ompt(void *buffer, uint64_t cursor)
{
    static OPARI_TLS struct opari_record r;
    struct opari_record_head head;
    if (opari_record_at(buffer, cursor, &head) != ompt_record_ompt || head.size < sizeof r)
        return NULL;
    memcpy(&r, (char *)buffer + cursor, sizeof r);
    if (r.ompt.type == ompt_callback_target_map) {
        ompt_record_target_map_t *m = &r.ompt.record.target_map;
        m->host_addr = (void **)(void *)((char *)buffer + cursor + sizeof r);
        m->device_addr = m->host_addr + m->nitems;
        m->bytes = (size_t *)(void *)(m->device_addr + m->nitems);
        m->mapping_flags = (unsigned *)(void *)(m->bytes + m->nitems);
    }
    return &r.ompt;
}

static void *opari_get_record_native(void *buffer, uint64_t cursor, uint64_t *host_op_id)
{
    static OPARI_TLS struct opari_native r;
    struct opari_record_head head;
    if (opari_record_at(buffer, cursor, &head) != ompt_record_native || head.size < sizeof r)
        return NULL;
    memcpy(&r, (char *)buffer + cursor, sizeof r);
    if (host_op_id != NULL)
        *host_op_id = r.host_op_id;
    return &r;
}

static ompt_record_abstract_t *opari_get_record_abstract(const void *native)
{
    static OPARI_TLS ompt_record_abstract_t a;
    struct opari_native r;
    if (native == NULL)
        return NULL;
    memcpy(&r, native, sizeof r);
    a.rclass = ompt_record_native_event;
    a.type = r.kind == ompt_native_kernel_execution       ? "kernel execution"
             : r.kind == ompt_native_kernel_invocation    ? "kernel invocation"
             : r.kind == ompt_native_data_motion_explicit ? "explicit data motion"
                                                          : "idleness";
    a.start_time = r.start;
    a.end_time = r.end;
    a.hwid = r.hwid;
    return &a;
}
