/* tracing_2016.c: device tracing for tools of the report of May 2016 (sections 5.7, 6 and A.6), and
 * the lookup for both generations. */
#include "../core/bridge.h"
#include "../core/older_numbers.h"

#include <string.h>

/* A.6. The report has no type for the records of target constructs and of mapping. */
typedef struct opari_2016_record {
    int type;
    uint64_t time;
    ompt_data_t *thread_data;
    uint64_t target_id;
    union {
        struct {
            uint64_t host_op_id;
            int optype;
            void *host_addr, *device_addr;
            size_t bytes;
            uint64_t end_time;
        } data;
        struct {
            uint64_t host_op_id;
            uint32_t granted_num_teams;
            uint64_t end_time;
        } kernel;
        uint64_t room[8]; /* as large as the report's largest record */
    } record;
} opari_2016_record_t;

/* Table 2 of the report. */
static int opari_2016_set_trace_ompt(void *handle, _Bool enable, unsigned type)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL || type >= OPARI_2016_EVENTS)
        return OPARI_SET_ERROR;
    const unsigned bits = (type == 0 ? ~0u : 1u << type) & OPARI_TRACED_2016;
    opari_trace_which(&d->events, enable, bits);
    return type == 0 ? OPARI_SET_SOMETIMES : bits != 0 ? OPARI_SET_ALWAYS : OPARI_SET_IMPOSSIBLE;
}

static int opari_2016_set_trace_native(void *handle, _Bool enable, uint32_t flags)
{
    struct opari_device *d = opari_device_checked(handle);
    if (d == NULL || flags == 0 || flags > 255)
        return OPARI_SET_ERROR;
    static const unsigned char answers[] = {OPARI_SET_IMPOSSIBLE, OPARI_SET_SOMETIMES,
                                            OPARI_SET_ALWAYS};
    return answers[opari_trace_native(d, enable, flags)];
}

/* get_info would return what the device knows, so it is not used. */
static _Bool opari_2016_start_trace(void *handle, ompt_callback_buffer_request_t request,
                                    ompt_callback_t complete,
                                    void (*get_info)(uint64_t *, uint64_t *))
{
    (void)get_info;
    return opari_device_start(handle, request, (ompt_callback_buffer_complete_t)complete, 1) != 0;
}

static _Bool opari_2016_pause_trace(void *handle, _Bool begin)
{
    return opari_pause_trace(handle, begin) != 0;
}

static _Bool opari_2016_stop_trace(void *handle) { return opari_stop_trace(handle) != 0; }

static _Bool opari_2016_advance(void *buffer, size_t size, uint64_t current, uint64_t *next)
{
    return opari_advance_cursor(buffer, size, current, next) != 0;
}

/* Whether an operation's destination is on the host: a record of data has one address of the host
 * and one of the device. */
static int opari_2016_moves_back(int type)
{
    return type == ompt_target_data_transfer_from_device || type == ompt_target_data_delete;
}

static void *opari_2016_get_record_ompt(void *buffer, uint64_t cursor)
{
    static OPARI_TLS opari_2016_record_t r;
    const ompt_record_ompt_t *from = opari_get_record_ompt(buffer, cursor);
    if (from == NULL)
        return NULL;
    struct opari_record record;
    memcpy(&record, (char *)buffer + cursor, sizeof record);
    r.type = (int)from->type;
    r.time = from->time;
    r.thread_data = record.thread;
    r.target_id = from->target_id;
    if (from->type == ompt_callback_target_data_op) {
        const ompt_record_target_data_op_t *o = &from->record.target_data_op;
        const int back = opari_2016_moves_back((int)o->optype);
        r.record.data.host_op_id = o->host_op_id;
        r.record.data.optype = (int)o->optype;
        r.record.data.host_addr = back ? o->dest_addr : o->src_addr;
        r.record.data.device_addr = back ? o->src_addr : o->dest_addr;
        r.record.data.bytes = o->bytes;
        r.record.data.end_time = o->end_time;
    } else {
        r.record.kernel.host_op_id = from->record.target_kernel.host_op_id;
        r.record.kernel.granted_num_teams = from->record.target_kernel.granted_num_teams;
        r.record.kernel.end_time = from->record.target_kernel.end_time;
    }
    return &r;
}

static ompt_interface_fn_t opari_device_lookup(const char *name)
{
    static const struct opari_entry_point points[] = {
        {"ompt_get_device_num_procs", (ompt_interface_fn_t)opari_get_device_num_procs},
        {"ompt_get_device_time", (ompt_interface_fn_t)opari_get_device_time},
        {"ompt_translate_time", (ompt_interface_fn_t)opari_translate_time},
        {"ompt_set_trace_ompt", (ompt_interface_fn_t)opari_set_trace_ompt},
        {"ompt_set_trace_native", (ompt_interface_fn_t)opari_set_trace_native},
        {"ompt_start_trace", (ompt_interface_fn_t)opari_start_trace},
        {"ompt_pause_trace", (ompt_interface_fn_t)opari_pause_trace},
        {"ompt_flush_trace", (ompt_interface_fn_t)opari_flush_trace},
        {"ompt_stop_trace", (ompt_interface_fn_t)opari_stop_trace},
        {"ompt_advance_buffer_cursor", (ompt_interface_fn_t)opari_advance_buffer_cursor},
        {"ompt_get_record_type", (ompt_interface_fn_t)opari_get_record_type},
        {"ompt_get_record_ompt", (ompt_interface_fn_t)opari_get_record_ompt},
        {"ompt_get_record_native", (ompt_interface_fn_t)opari_get_record_native},
        {"ompt_get_record_abstract", (ompt_interface_fn_t)opari_get_record_abstract},
        {"opari_get_records_lost", (ompt_interface_fn_t)opari_get_records_lost},
        {"ompt_target_get_time", (ompt_interface_fn_t)opari_get_device_time},
        {"ompt_target_translate_time", (ompt_interface_fn_t)opari_translate_time},
        {"ompt_target_set_trace_ompt", (ompt_interface_fn_t)opari_2016_set_trace_ompt},
        {"ompt_target_set_trace_native", (ompt_interface_fn_t)opari_2016_set_trace_native},
        {"ompt_target_start_trace", (ompt_interface_fn_t)opari_2016_start_trace},
        {"ompt_target_pause_trace", (ompt_interface_fn_t)opari_2016_pause_trace},
        {"ompt_target_stop_trace", (ompt_interface_fn_t)opari_2016_stop_trace},
        {"ompt_target_advance_buffer_cursor", (ompt_interface_fn_t)opari_2016_advance},
        {"ompt_target_buffer_get_record_type", (ompt_interface_fn_t)opari_get_record_type},
        {"ompt_target_buffer_get_record_ompt", (ompt_interface_fn_t)opari_2016_get_record_ompt},
        {"ompt_target_buffer_get_record_native", (ompt_interface_fn_t)opari_get_record_native},
        {"ompt_target_buffer_get_record_native_abstract",
         (ompt_interface_fn_t)opari_get_record_abstract},
        {NULL, NULL},
    };
    return opari_entry_point(points, name);
}
