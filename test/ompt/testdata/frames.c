/* frames.c: a tool that says of each event whose code its code pointer is in, and to whom the enter frame of the encountering task belongs while the
 * event happens: an address in the code of each, from which the test knows the function. The event, the pointer's, the frame's; 0: there is none, 1: there should be.
 */
#define _GNU_SOURCE
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

static ompt_get_task_info_t task_info;

struct search {
    uintptr_t frame, ip;
};

/* In a callback of the unwinder's CFA is the stack pointer that the frame's function had at its call: its frame lies from there to that of the next. */
static _Unwind_Reason_Code step(struct _Unwind_Context *c, void *to)
{
    struct search *s = to;
    if (_Unwind_GetCFA(c) > s->frame)
        return _URC_END_OF_STACK;
    s->ip = _Unwind_GetIP(c) - 1;
    return _URC_NO_REASON;
}

static void say(const char *event, const void *ra, const ompt_frame_t *frame)
{
    struct search s = {frame != NULL ? (uintptr_t)frame->enter_frame.ptr : 0, frame != NULL};
    if (s.frame != 0)
        _Unwind_Backtrace(step, &s);
    printf("%s %jx %jx\n", event, (uintmax_t)(uintptr_t)ra - (ra != NULL), (uintmax_t)s.ip);
}

static const ompt_frame_t *here(void)
{
    ompt_frame_t *frame = NULL;
    int type = 0;
    (void)task_info(0, &type, NULL, &frame, NULL, NULL);
    return frame;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *p, unsigned n, int flags, const void *ra)
{
    (void)task, (void)p, (void)n, (void)flags;
    say("parallel_begin", ra, frame);
}

static void on_parallel_end(ompt_data_t *p, ompt_data_t *task, int flags, const void *ra)
{
    (void)p, (void)task, (void)flags;
    say("parallel_end", ra, NULL);
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made, int flags, int depends, const void *ra)
{
    (void)task, (void)made, (void)depends;
    say(flags & ompt_task_undeferred ? "undeferred" : "task_create", ra, flags & ompt_task_explicit ? frame : NULL);
}

static void on_sync(const char *which, ompt_sync_region_t kind, ompt_scope_endpoint_t end, const void *ra)
{
    static const char *const kinds[] = {"?", "barrier", "implicit", "explicit", "implementation", "taskwait", "taskgroup", "reduction", "workshare", "parallel", "teams"};
    char name[64];
    (void)snprintf(name, sizeof name, "%s_%s_%s", which, kinds[kind], end == ompt_scope_begin ? "begin" : "end");
    /* the end of a group is reported in the runtime, its begin not */
    say(name, ra, end == ompt_scope_begin && (kind != ompt_sync_region_taskgroup || which[0] == 'w') ? here() : NULL);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)p, (void)t;
    on_sync("sync", kind, end, ra);
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)p, (void)t;
    on_sync("wait", kind, end, ra);
}

static void on_work(ompt_work_t work, ompt_scope_endpoint_t end, ompt_data_t *p, ompt_data_t *t, uint64_t count, const void *ra)
{
    (void)p, (void)t, (void)count;
    char name[64];
    (void)snprintf(name, sizeof name, "work_%d_%s", (int)work, end == ompt_scope_begin ? "begin" : "end");
    say(name, ra, NULL);
}

static void on_masked(ompt_scope_endpoint_t end, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)p, (void)t;
    say(end == ompt_scope_begin ? "masked_begin" : "masked_end", ra, NULL);
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned how, ompt_wait_id_t id, const void *ra)
{
    (void)hint, (void)how, (void)id;
    say(kind == ompt_mutex_critical ? "acquire_critical" : "acquire_other", ra, NULL);
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)id;
    say(kind == ompt_mutex_critical ? "acquired_critical" : "acquired_other", ra, NULL);
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)id;
    say(kind == ompt_mutex_critical ? "released_critical" : "released_other", ra, NULL);
}

static void on_flush(ompt_data_t *t, const void *ra)
{
    (void)t;
    say("flush", ra, NULL);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
    set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait);
    set(ompt_callback_work, (ompt_callback_t)on_work);
    set(ompt_callback_masked, (ompt_callback_t)on_masked);
    set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
    set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
    set(ompt_callback_flush, (ompt_callback_t)on_flush);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
