/* tool.c: a tool for the cost of target regions. WHAT: 0 a callback for targets that does nothing;
 * 1 records of kernels are traced; 2 those of all events. Buffers of 64 KiB are read through.
 */
#include "../../ompt_bridge/src/omp_tools.h"

#include <stdlib.h>

static ompt_device_t *device;
static ompt_advance_buffer_cursor_t advance;
static unsigned long records;

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int number, ompt_data_t *task,
                      ompt_data_t *target_task, ompt_data_t *target, const void *ra)
{
    (void)kind, (void)at, (void)number, (void)task, (void)target_task, (void)target, (void)ra;
}

static void on_request(int number, ompt_buffer_t **buffer, size_t *bytes)
{
    static char room[64 * 1024];
    (void)number;
    *buffer = room;
    *bytes = sizeof room;
}

static void on_complete(int number, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at,
                        int owned)
{
    (void)number, (void)owned;
    do
        records++;
    while (advance(device, buffer, bytes, at, &at));
}

static void on_initialize(int number, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation)
{
    (void)number, (void)type, (void)documentation;
    device = handle;
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    if (WHAT == 0)
        return;
    ((ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt"))(
        handle, 1, WHAT == 1 ? ompt_callback_target_submit : 0);
    ((ompt_start_trace_t)lookup("ompt_start_trace"))(handle, on_request, on_complete);
}

static int initialize(ompt_function_lookup_t lookup, int initial, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)initial, (void)data;
    set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize);
    if (WHAT == 0)
        set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
