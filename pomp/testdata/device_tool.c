/* device_tool.c: a tool that traces the device by OpenMP 5.1 [4.6.2] and by nothing else, and checks what that section says. Its notes go to the file
 * PROBE_LOG. MODE is what it does: 0 counts and checks all records; 1 writes each; 2 gives two buffers only, until after 1000 target regions; 3 pauses.
 * TEXT: only constructs have events.
 */
#define _GNU_SOURCE 1
#ifndef APART
#define APART 0 /* the device is one with memory of its own */
#endif

#include "../../ompt_bridge/src/omp_tools.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef MODE
#define MODE 0
#endif
#ifdef TEXT
enum { KERNELS = 0 };
#else
enum { KERNELS = 1 };
#endif
enum { BUFFER = 64 * 1024 };

static FILE *notes;
static ompt_device_t *device;
static int number, initial_number;
static int errors;
static pthread_t service;
static long given, returned, outstanding, most, records[40], natives[256], reported[40];
static __thread int of_openmp;

static ompt_get_device_num_procs_t num_procs;
static ompt_get_device_time_t now;
static ompt_translate_time_t translate;
static ompt_set_trace_ompt_t set_ompt;
static ompt_set_trace_native_t set_native;
static ompt_start_trace_t start;
static ompt_pause_trace_t pause_trace;
static ompt_flush_trace_t flush;
static ompt_stop_trace_t stop;
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_type_t type_of;
static ompt_get_record_ompt_t get_ompt;
static ompt_get_record_native_t get_native;
static ompt_get_record_abstract_t abstract_of;
static uint64_t (*lost_of)(ompt_device_t *);

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition) && ++errors < 20)                                                                                     \
            fprintf(notes, "line %d: not %s\n", __LINE__, #condition);                                                         \
    } while (0)

static void on_request(int device_num, ompt_buffer_t **buffer, size_t *bytes)
{
    CHECK(device_num == number && !of_openmp);
    if (given == 0)
        service = pthread_self();
    CHECK(pthread_equal(service, pthread_self()));
    if (MODE == 2 && given == 2) {
        *bytes = 0;
        return;
    }
    *buffer = malloc(BUFFER);
    *bytes = BUFFER;
    given++;
    most = ++outstanding > most ? outstanding : most;
}

/* What is open in each target region: at most three threads have one at a time. */
static struct region {
    ompt_id_t id;
    int kind, kernels, allocated, deleted;
    uint64_t time;
} open_regions[8];
static ompt_id_t last_begun;

static struct region *region_of(ompt_id_t id)
{
    for (int i = 0; i < 8; i++)
        if (open_regions[i].id == id)
            return &open_regions[i];
    return NULL;
}

static void write_record(const ompt_record_ompt_t *r)
{
    const ompt_record_target_data_op_t *o = &r->record.target_data_op;
    if (r->type == ompt_callback_target)
        fprintf(notes, "target %d %d\n", (int)r->record.target.kind, (int)r->record.target.endpoint);
    else if (r->type == ompt_callback_target_data_op)
        fprintf(notes, "data_op %d %zu %s\n", (int)o->optype, o->bytes, o->src_addr == o->dest_addr ? "in place" : "moved");
    else if (r->type == ompt_callback_target_submit)
        fprintf(notes, "kernel %u %u\n", r->record.target_kernel.requested_num_teams, r->record.target_kernel.granted_num_teams);
    else {
        fprintf(notes, "map");
        for (unsigned i = 0; i < r->record.target_map.nitems; i++)
            fprintf(notes, " %zu:%x", r->record.target_map.bytes[i], r->record.target_map.mapping_flags[i]);
        fprintf(notes, "\n");
    }
}

static void on_target_record(const ompt_record_ompt_t *r)
{
    const ompt_record_target_t *t = &r->record.target;
    CHECK(t->target_id == r->target_id && t->device_num == number && t->codeptr_ra != NULL);
    if (t->endpoint == ompt_scope_begin) {
        struct region *free_one = region_of(0);
        CHECK(region_of(r->target_id) == NULL && free_one != NULL);
        if (free_one != NULL)
            *free_one = (struct region){.id = r->target_id, .kind = (int)t->kind, .time = r->time};
        last_begun = r->target_id;
    } else {
        struct region *own = region_of(r->target_id);
        CHECK(own != NULL);
        if (own == NULL)
            return;
        CHECK(own->kind == (int)t->kind && own->time <= r->time);
        CHECK(own->kernels == (KERNELS && (t->kind & 7) == ompt_target));
        CHECK((t->kind & 7) != ompt_target || own->allocated == own->deleted);
        own->id = 0;
    }
}

static void on_record(const ompt_record_ompt_t *r)
{
    struct region *own = r->target_id != 0 ? region_of(r->target_id) : NULL;
    CHECK(r->type < 40 && r->thread_id != 0);
    records[r->type]++;
    if (MODE == 1)
        write_record(r);
    if (MODE >= 2)
        return; /* there are gaps */
    if (r->type == ompt_callback_target) {
        on_target_record(r);
        return;
    }
    CHECK(own != NULL || r->type == ompt_callback_target_data_op);
    CHECK(own == NULL || own->time <= r->time);
    if (r->type == ompt_callback_target_submit && own != NULL) {
        CHECK(r->record.target_kernel.end_time >= r->time && own->kernels++ == 0);
        CHECK(fabs(translate(device, r->record.target_kernel.end_time) - translate(device, r->time) -
                   1e-9 * (double)(r->record.target_kernel.end_time - r->time)) < 1e-6);
        own->time = r->record.target_kernel.end_time;
    }
    if (r->type == ompt_callback_target_data_op) {
        const ompt_record_target_data_op_t *o = &r->record.target_data_op;
        CHECK(o->end_time >= r->time && o->host_op_id != 0 && o->codeptr_ra != NULL);
        if (own != NULL) {
            own->allocated += o->optype == ompt_target_data_alloc;
            own->deleted += o->optype == ompt_target_data_delete;
        }
    }
}

static void on_native(void *native, ompt_id_t host_op_id)
{
    const ompt_record_abstract_t *r = abstract_of(native);
    CHECK(r != NULL && r->rclass == ompt_record_native_event && r->type != NULL && r->hwid != ompt_hwid_none);
    CHECK(r->start_time != ompt_time_none && r->end_time >= r->start_time);
    const int kind = strcmp(r->type, "kernel execution") == 0       ? ompt_native_kernel_execution
                     : strcmp(r->type, "kernel invocation") == 0    ? ompt_native_kernel_invocation
                     : strcmp(r->type, "explicit data motion") == 0 ? ompt_native_data_motion_explicit
                     : strcmp(r->type, "idleness") == 0             ? ompt_native_idleness
                                                                    : 0;
    CHECK(kind == ompt_native_idleness ? host_op_id == ompt_id_none : host_op_id != ompt_id_none);
    natives[kind]++;
}

static void on_complete(int device_num, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned)
{
    ompt_buffer_cursor_t at = begin, beyond = 0;
    CHECK(device_num == number && owned == 1 && bytes == BUFFER && !of_openmp && pthread_equal(service, pthread_self()));
    int more = type_of(buffer, at) != ompt_record_invalid;
    while (more) {
        ompt_id_t id = 12345;
        const ompt_record_t type = type_of(buffer, at);
        CHECK(type == ompt_record_ompt || type == ompt_record_native);
        CHECK((type == ompt_record_ompt) == (get_ompt(buffer, at) != NULL));
        void *native = get_native(buffer, at, &id);
        CHECK((type == ompt_record_native) == (native != NULL));
        if (type == ompt_record_ompt && get_ompt(buffer, at) != NULL)
            on_record(get_ompt(buffer, at));
        else if (native != NULL)
            on_native(native, id);
        beyond = at;
        more = advance(device, buffer, bytes, at, &at);
    }
    CHECK(advance(device, buffer, bytes, bytes, &beyond) == 0 && type_of(buffer, bytes) == ompt_record_invalid);
    memset(buffer, 0xee, BUFFER);
    free(buffer);
    outstanding--;
    returned++;
}

static void answers(void)
{
    static char none[1000];
    CHECK(set_ompt(device, 1, 0) == ompt_set_sometimes && set_ompt(device, 0, 0) == ompt_set_sometimes);
    CHECK(set_ompt(device, 1, ompt_callback_thread_begin) == ompt_set_impossible && set_ompt(device, 1, 1000) == ompt_set_error);
    CHECK(set_ompt((void *)none, 1, ompt_callback_target) == ompt_set_error && set_ompt(NULL, 1, 0) == ompt_set_error);
    static const int traced[] = {ompt_callback_target_emi, ompt_callback_target_data_op, ompt_callback_target_submit_emi, ompt_callback_target_map};
    for (int i = 0; i < 4; i++)
        CHECK(set_ompt(device, 1, (unsigned)traced[i]) == ompt_set_always);
    CHECK(set_native(device, 1, ompt_native_kernel_execution | ompt_native_idleness) == ompt_set_always);
    CHECK(set_native(device, 1, ompt_native_kernel_invocation | ompt_native_driver) == ompt_set_sometimes);
    CHECK(set_native(device, 1, ompt_native_driver) == ompt_set_impossible && set_native(device, 1, 0) == ompt_set_error);
    CHECK(set_native(device, 1, ompt_native_data_motion_explicit) == ompt_set_always && set_native(NULL, 1, 1) == ompt_set_error);
    CHECK(pause_trace(device, 1) == 0 && flush(device) == 0 && stop(device) == 0); /* nothing is traced yet */
    CHECK(start(NULL, on_request, on_complete) == 0 && start(device, NULL, on_complete) == 0);
    CHECK(start(device, on_request, on_complete) == 1 && start(device, on_request, on_complete) == 0);
    CHECK(pause_trace(device, 1) == 1 && pause_trace(device, 1) == 1 && pause_trace(device, 0) == 1 && pause_trace(device, 0) == 1);
    CHECK(flush(device) == 1 && given == 0);
    const ompt_device_time_t t = now(device);
    CHECK(t != ompt_time_none && now(device) >= t && translate(device, t) > 0 && num_procs(device) == (APART ? -1 : (int)sysconf(_SC_NPROCESSORS_ONLN)));
    CHECK(num_procs(NULL) == -1 && now(NULL) == 0 && pause_trace(NULL, 1) == 0 && flush(NULL) == 0 && stop(NULL) == 0);
}

static void on_initialize(int device_num, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup, const char *documentation)
{
    CHECK(type != NULL && handle != NULL && documentation != NULL && device == NULL);
    CHECK(device_num == (APART ? 0 : initial_number) && (strcmp(type, "host") == 0) == !APART);
    device = handle;
    number = device_num;
#define GET(variable, name) CHECK((*(ompt_interface_fn_t *)(void *)&(variable) = lookup(name)) != NULL)
    GET(num_procs, "ompt_get_device_num_procs");
    GET(now, "ompt_get_device_time");
    GET(translate, "ompt_translate_time");
    GET(set_ompt, "ompt_set_trace_ompt");
    GET(set_native, "ompt_set_trace_native");
    GET(start, "ompt_start_trace");
    GET(pause_trace, "ompt_pause_trace");
    GET(flush, "ompt_flush_trace");
    GET(stop, "ompt_stop_trace");
    GET(advance, "ompt_advance_buffer_cursor");
    GET(type_of, "ompt_get_record_type");
    GET(get_ompt, "ompt_get_record_ompt");
    GET(get_native, "ompt_get_record_native");
    GET(abstract_of, "ompt_get_record_abstract");
    GET(lost_of, "opari_get_records_lost");
    CHECK(lookup("ompt_no_such_thing") == NULL);
    answers();
}

static int finalized, loaded, unloaded;
static void on_finalize(int device_num)
{
    CHECK(device_num == number && device != NULL && loaded == unloaded);
    finalized++;
}

static void on_load(int device_num, const char *file, int64_t offset, void *vma, size_t bytes, void *host, void *there, uint64_t id)
{
    (void)offset, (void)vma, (void)there;
    CHECK(device_num == number && file != NULL && bytes != 0 && host != NULL && id != 0);
    loaded++;
}

static void on_unload(int device_num, uint64_t id)
{
    CHECK(device_num == number && id != 0);
    unloaded++;
}

static ompt_get_target_info_t target_info;

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device_num, ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target, const void *ra)
{
    static long regions;
    uint64_t there = 99, operation = 99;
    ompt_id_t id = 0;
    CHECK(kind != 0 && task != NULL && target_task != NULL && target != NULL && ra != NULL);
    if (at == ompt_scope_begin)
        target->value = (uint64_t)__atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED) + 1000000000;
    CHECK(target_info(&there, &id, &operation) == 1 && there == (uint64_t)device_num && id == target->value && operation == 0);
    __atomic_add_fetch(&reported[ompt_callback_target], 1, __ATOMIC_RELAXED);
    if (at == ompt_scope_end && MODE == 2 && regions == 1000) {
        CHECK(lost_of(device) > 0);
        fprintf(notes, "given %ld, some lost\n", given);
        given = 100;
        CHECK(start(device, on_request, on_complete) == 1);
    }
    if (at == ompt_scope_end && MODE == 3 && regions % 100 == 0)
        CHECK(pause_trace(device, regions % 200 == 100) == 1);
}

static void on_submit(ompt_scope_endpoint_t at, ompt_data_t *target, ompt_id_t *operation, unsigned teams)
{
    (void)teams, (void)at;
    CHECK(target->value > 1000000000 && operation != NULL && *operation != 0);
    __atomic_add_fetch(&reported[ompt_callback_target_submit], 1, __ATOMIC_RELAXED);
}

static void on_data_op(ompt_scope_endpoint_t at, ompt_data_t *task, ompt_data_t *target, ompt_id_t *operation, ompt_target_data_op_t type,
                       void *from, int from_device, void *to, int to_device, size_t bytes, const void *ra)
{
    (void)task, (void)type, (void)from, (void)from_device, (void)to, (void)to_device, (void)bytes, (void)at;
    CHECK(target != NULL && operation != NULL && *operation != 0 && ra != NULL);
    __atomic_add_fetch(&reported[ompt_callback_target_data_op], 1, __ATOMIC_RELAXED);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    (void)type, (void)data;
    of_openmp = 1;
}

static int initialize(ompt_function_lookup_t lookup, int initial, ompt_data_t *data)
{
    (void)data;
    initial_number = initial;
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
    notes = fopen(getenv("PROBE_LOG"), "w");
    if (notes == NULL)
        return 0;
    CHECK(set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin) == ompt_set_always);
    CHECK(set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize) == ompt_set_always);
    CHECK(set(ompt_callback_device_finalize, (ompt_callback_t)on_finalize) == ompt_set_always);
    CHECK(set(ompt_callback_device_load, (ompt_callback_t)on_load) == ompt_set_sometimes);
    CHECK(set(ompt_callback_device_unload, (ompt_callback_t)on_unload) == ompt_set_sometimes);
    CHECK(set(ompt_callback_target_emi, (ompt_callback_t)on_target) == ompt_set_always);
    CHECK(set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit) == ompt_set_sometimes);
    CHECK(set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op) == ompt_set_sometimes);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    CHECK(finalized == 1 && loaded == KERNELS && unloaded == KERNELS && outstanding == 0 && most <= 1 && target_info(NULL, NULL, NULL) == 0);
    for (int i = 0; i < 8; i++)
        CHECK(open_regions[i].id == 0);
    if (MODE == 2 || MODE == 3)
        CHECK(records[8] > 0 && records[8] < reported[8] && (lost_of(device) > 0) == (MODE == 2));
    else
        CHECK(records[8] == reported[8] && 2 * records[10] == reported[10] && 2 * records[9] == reported[9] && lost_of(device) == 0);
    if (MODE == 3)
        CHECK(records[8] == reported[8] / 2 + 1 || records[8] == reported[8] / 2 || records[8] == reported[8] / 2 - 1);
    if (MODE != 2)
        fprintf(notes, "target %ld data_op %ld submit %ld map %ld\n", records[8], records[9], records[10], records[22]);
    if (MODE == 0)
        fprintf(notes, "native %ld %ld %ld %ld\n", natives[ompt_native_kernel_execution], natives[ompt_native_kernel_invocation],
                natives[ompt_native_data_motion_explicit], natives[ompt_native_idleness]);
    fprintf(notes, "errors %d\n", errors);
    fclose(notes);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
