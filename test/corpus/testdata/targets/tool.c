/* tool.c: counts the events of the target family and the records of the devices, and writes both to the file OPARI_TARGETS: constructs reported, ended,
 * recorded; kernels reported, recorded; operations on data reported, recorded; mistakes. The file OPARI_DEVICE_LOG gets a line for each operation and
 * kernel, see internal/offload.
 */
#include "../../../../ompt_bridge/src/omp_tools.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS = 40, BUFFER = 64 * 1024 };

static unsigned long begun[EVENTS], ended[EVENTS], recorded[EVENTS], mistakes;
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_type_t type_of;
static ompt_get_record_ompt_t get_ompt;

static void count(unsigned long *n) { __atomic_add_fetch(n, 1, __ATOMIC_RELAXED); }

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
    static int log = -1;
    char text[256];
    va_list list;
    if (getenv("OPARI_DEVICE_LOG") == NULL)
        return;
    if (log < 0)
        log = open(getenv("OPARI_DEVICE_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n <= 0 || write(log, text, (size_t)n) != n)
        count(&mistakes);
}

static void on_request(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    (void)device;
    *buffer = malloc(BUFFER);
    *bytes = BUFFER;
}

static ompt_device_t *known;
static int host = -1;          /* the number of the initial device */
static __thread int device_of; /* the construct that the thread is in */

static void on_complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at, int owned)
{
    if (type_of(buffer, at) == ompt_record_ompt)
        do
            recorded[get_ompt(buffer, at)->type]++;
        while (advance(known, buffer, bytes, at, &at));
    (void)device;
    if (owned)
        free(buffer);
}

static void on_initialize(int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup, const char *documentation)
{
    (void)documentation;
    known = handle;
    if (strcmp(type, "host") == 0)
        host = device;
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    type_of = (ompt_get_record_type_t)lookup("ompt_get_record_type");
    get_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
    if (((ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt"))(handle, 1, 0) != ompt_set_sometimes ||
        ((ompt_start_trace_t)lookup("ompt_start_trace"))(handle, on_request, on_complete) != 1)
        count(&mistakes);
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task, ompt_data_t *target_task,
                      ompt_data_t *target, const void *ra)
{
    device_of = device;
    if (kind == 0 || task == NULL || target_task == NULL || ra == NULL || (at == ompt_scope_begin) != (target->value == 0))
        count(&mistakes);
    target->value = 1 + (uint64_t)kind;
    count(at == ompt_scope_begin ? &begun[ompt_callback_target] : &ended[ompt_callback_target]);
}

static void on_submit(ompt_scope_endpoint_t at, ompt_data_t *target, ompt_id_t *operation, unsigned teams)
{
    (void)teams, (void)operation;
    if (at == ompt_scope_begin && device_of != host)
        line("reported in submit %d\n", device_of);
    if (((target->value - 1) & 7) != ompt_target)
        count(&mistakes);
    count(at == ompt_scope_begin ? &begun[ompt_callback_target_submit] : &ended[ompt_callback_target_submit]);
}

static void on_data_op(ompt_scope_endpoint_t at, ompt_data_t *task, ompt_data_t *target, ompt_id_t *operation, ompt_target_data_op_t type,
                       void *from, int from_device, void *to, int to_device, size_t bytes, const void *ra)
{
    const char *where = target->value != 0 ? "in" : "out";
    (void)task, (void)operation, (void)ra;
    if (from_device == host && (to_device == host || to_device < 0))
        ; /* nothing is copied */
    else if (at == ompt_scope_end && type == ompt_target_data_alloc)
        line("reported %s alloc %d %p %zu\n", where, to_device, to, bytes);
    else if (at == ompt_scope_end && type == ompt_target_data_delete)
        line("reported %s delete %d %p %zu\n", where, from_device, from, bytes);
    else if (at == ompt_scope_end && type == ompt_target_data_transfer_to_device)
        line("reported %s to %d %p %p %zu\n", where, to_device, to, from, bytes);
    else if (at == ompt_scope_end && type == ompt_target_data_transfer_from_device)
        line("reported %s from %d %p %p %zu\n", where, from_device, from, to, bytes);
    count(at == ompt_scope_begin ? &begun[ompt_callback_target_data_op] : &ended[ompt_callback_target_data_op]);
}

static int initialize(ompt_function_lookup_t lookup, int initial, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)initial, (void)data;
    set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize);
    set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit);
    set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    FILE *f = fopen(getenv("OPARI_TARGETS"), "w");
    (void)data;
    if (f == NULL)
        return;
    for (int e = ompt_callback_target; e <= ompt_callback_target_submit; e++)
        fprintf(f, "%lu %lu %lu ", begun[e], ended[e], recorded[e]);
    fprintf(f, "%lu\n", mistakes);
    fclose(f);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
