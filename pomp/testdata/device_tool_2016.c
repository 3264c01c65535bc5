/* device_tool_2016.c: a tool of the report of May 2016 that traces the initial device by the report's sections 5.7 and 6, and checks what they say. Its
 * notes go to the file PROBE_LOG.
 */
#define _GNU_SOURCE 1
#include "../../ompt_bridge/src/ompt_2016.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 64 * 1024 };

static FILE *notes;
static int errors, given, outstanding;
static long targets, maps, operations, submits, recorded_operations, recorded_kernels, natives, last;
static pthread_t initial;
static ompt_target_device_t *device;
static ompt_function_lookup_t find;
static ompt_get_target_info_t target_info;
static ompt_target_get_device_id_t device_id;

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition) && ++errors < 20)                                                                                     \
            fprintf(notes, "line %d: not %s\n", __LINE__, #condition);                                                         \
    } while (0)
#define CALL(type, name) ((type)find(name))

static void on_request(int32_t number, ompt_target_buffer_t **buffer, size_t *bytes)
{
    CHECK(number == 0 && !pthread_equal(initial, pthread_self()) && outstanding == 0);
    *buffer = malloc(BUFFER);
    *bytes = BUFFER;
    given++, outstanding++;
}

static void on_complete(int32_t number, const ompt_target_buffer_t *filled, size_t bytes, ompt_target_buffer_cursor_t at)
{
    ompt_target_buffer_t *buffer = (void *)(uintptr_t)filled;
    ompt_target_buffer_get_record_type_t type_of = CALL(ompt_target_buffer_get_record_type_t, "ompt_target_buffer_get_record_type");
    CHECK(number == 0 && bytes == BUFFER && !pthread_equal(initial, pthread_self()));
    for (int more = type_of(buffer, at) != ompt_record_invalid; more;
         more = CALL(ompt_target_advance_buffer_cursor_t, "ompt_target_advance_buffer_cursor")(buffer, bytes, at, &at)) {
        ompt_target_id_t id = 0;
        if (type_of(buffer, at) == ompt_record_native) {
            void *native = CALL(ompt_target_buffer_get_record_native_t, "ompt_target_buffer_get_record_native")(buffer, at, &id);
            const ompt_record_native_abstract_t *a =
                CALL(ompt_target_buffer_get_record_native_abstract_t, "ompt_target_buffer_get_record_native_abstract")(native);
            CHECK(a->rclass == ompt_record_native_class_event && a->end_time >= a->start_time && id != ompt_target_id_none);
            CHECK(strcmp(a->type, "kernel execution") == 0);
            natives++;
            continue;
        }
        const ompt_record_ompt_t *r = CALL(ompt_target_buffer_get_record_ompt_t, "ompt_target_buffer_get_record_ompt")(buffer, at);
        CHECK(r->thread_data->value == 77);
        if (r->type == ompt_event_target_submit) {
            CHECK((long)r->target_id > last && r->record.kernel.host_op_id != 0);
            CHECK(r->record.kernel.granted_num_teams > 0 && r->record.kernel.end_time >= r->time);
            last = (long)r->target_id;
            recorded_kernels++;
        } else {
            CHECK(r->type == ompt_event_target_data && r->record.data.host_op_id != 0 && r->record.data.end_time >= r->time);
            CHECK(r->record.data.host_addr != r->record.data.device_addr);
            recorded_operations++;
        }
    }
    free(buffer);
    outstanding--;
}

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_data_t *data)
{
    if (type == ompt_thread_initial)
        initial = pthread_self();
    data->value = 77;
}

static void on_target(int32_t number, ompt_target_type_t kind, ompt_task_data_t *task, ompt_scope_endpoint_t at, ompt_target_id_t id, const void *ra)
{
    ompt_target_id_t own = 0, operation = 99;
    CHECK(number == 0 && kind >= 1 && kind <= 4 && task != NULL && (at == 1 || at == 2) && id != 0 && ra != NULL);
    CHECK(target_info(&own, &operation) && own == id && operation == ompt_target_id_none && device_id() == 0);
    targets++;
}

static void on_data(ompt_target_id_t target, ompt_target_id_t operation, ompt_target_data_op_t type, void *host, void *there, size_t bytes)
{
    (void)target, (void)bytes;
    CHECK(operation != 0 && type >= 1 && type <= 4 && host != there);
    operations++;
}

static void on_map(ompt_target_id_t id, uint32_t n, void **host, void **there, size_t *bytes, uint32_t *flags)
{
    CHECK(id != 0 && n > 0);
    for (uint32_t i = 0; i < n; i++)
        CHECK(host[i] == there[i] && bytes[i] > 0 && flags[i] > 0 && flags[i] < 32);
    maps++;
}

static void on_submit(ompt_target_id_t target, ompt_target_id_t operation, uint32_t requested, uint32_t granted)
{
    ompt_target_id_t own = 0, current = 0;
    CHECK(target_info(&own, &current) && own == target && current == operation && operation != 0);
    CHECK(requested == 0 ? granted == 1 : granted == requested);
    submits++;
}

static void trace(void)
{
    ompt_target_set_trace_ompt_t set = CALL(ompt_target_set_trace_ompt_t, "ompt_target_set_trace_ompt");
    ompt_target_set_trace_native_t native = CALL(ompt_target_set_trace_native_t, "ompt_target_set_trace_native");
    ompt_target_start_trace_t start = CALL(ompt_target_start_trace_t, "ompt_target_start_trace");
    ompt_target_pause_trace_t pause_trace = CALL(ompt_target_pause_trace_t, "ompt_target_pause_trace");
    CHECK(set(device, 1, 0) == 3 && set(device, 0, 0) == 3 && set(device, 1, ompt_event_target_data) == 4);
    CHECK(set(device, 1, ompt_event_target_submit) == 4 && set(device, 1, ompt_event_target) == 1 && set(device, 1, 99) == 0);
    CHECK(set(NULL, 1, 0) == 0 && native(device, 1, ompt_native_kernel_execution) == 4 && native(device, 1, ompt_native_driver) == 1);
    CHECK(native(device, 0, ompt_native_driver | ompt_native_idleness) == 3 && native(device, 1, 0) == 0 && native(NULL, 1, 1) == 0);
    CHECK(!pause_trace(device, 1) && !CALL(ompt_target_stop_trace_t, "ompt_target_stop_trace")(device));
    CHECK(start(device, on_request, on_complete, NULL) && !start(device, on_request, on_complete, NULL));
    CHECK(pause_trace(device, 1) && pause_trace(device, 0));
    const ompt_target_time_t now = CALL(ompt_target_get_time_t, "ompt_target_get_time")(device);
    CHECK(now != 0 && CALL(ompt_target_translate_time_t, "ompt_target_translate_time")(device, now) > 0 && find("ompt_no_such_thing") == NULL);
}

static void on_shutdown(void)
{
    CHECK(CALL(ompt_target_stop_trace_t, "ompt_target_stop_trace")(device) == 0); /* the library has stopped it before */
    CHECK(outstanding == 0 && given > 0 && recorded_operations == operations && recorded_kernels == submits && natives == submits);
    fprintf(notes, "target %ld data %ld submit %ld map %ld\nerrors %d\n", targets, operations, submits, maps, errors);
    fclose(notes);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    const char *type = NULL, *documentation = NULL;
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)runtime, (void)version;
    notes = fopen(getenv("PROBE_LOG"), "w");
    target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
    device_id = (ompt_target_get_device_id_t)lookup("ompt_target_get_device_id");
    CHECK(((ompt_get_num_devices_t)lookup("ompt_get_num_devices"))() == 1 && device_id() == -1 && !target_info(NULL, NULL));
    ompt_target_get_device_info_t info = (ompt_target_get_device_info_t)lookup("ompt_target_get_device_info");
    CHECK(info(0, &type, &device, &find, &documentation) && type != NULL && documentation != NULL && !info(1, &type, &device, &find, &documentation));
    CHECK(set(ompt_event_thread_begin, (ompt_callback_t)on_thread_begin) == 4);
    CHECK(set(ompt_event_target, (ompt_callback_t)on_target) == 4 && set(ompt_event_target_data, (ompt_callback_t)on_data) == 3);
    CHECK(set(ompt_event_target_data_map, (ompt_callback_t)on_map) == 3 && set(ompt_event_target_submit, (ompt_callback_t)on_submit) == 3);
    CHECK(set(ompt_event_runtime_shutdown, on_shutdown) == 4);
    trace();
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }
