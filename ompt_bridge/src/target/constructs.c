/* constructs.c: constructs of the target family: their events, and the records of their device.
 *
 * On the initial device, host and device share storage: nothing is copied, and both addresses of an
 * operation on data are the same. The reference counts of mapping tell whether mapped data are
 * present already, and whether they become unmapped: OpenMP 5.2 [5.8.6].
 */
#include "../core/bridge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *omp_get_mapped_ptr(const void *address, int device) __attribute__((weak));

/* An instance of a construct. It lies on the stack of the thread that executes it, or on the heap
 * where an entry refers to it. */
struct opari_target {
    struct opari_target *outer; /* the enclosing one on this thread */
    struct opari_device *on;    /* null: the device has no handle */
    const void *ra;
    ompt_data_t *encountering; /* the data words of the encountering task */
    ompt_data_t *task;         /* the data words of the target task */
    uint64_t id, operation;    /* operation: the one that is being initiated */
    int kind, device, later; /* later: of a target data construct, the kind of the events at the end
                                of its region */
    unsigned requested, granted; /* numbers of teams */
    uint64_t arrivals, begins;   /* times: of the construct, and of its kernel's begin */
    ompt_data_t data[OPARI_TOOLS], own_task[OPARI_TOOLS];
};

struct opari_item {
    char *host;
    size_t bytes;
    unsigned flags;                    /* ompt_target_map_flag_t */
    unsigned char always, gone, fresh; /* fresh: this construct has allocated it */
    void *device;                      /* its address on the device; null: unknown */
};

struct opari_operation {
    int type; /* ompt_target_data_op_t */
    int from, to;
    void *source, *destination;
    size_t bytes;
    uint64_t id, begins;
    uint64_t began, ended; /* its times; 0: it takes place while its event is raised */
};

/* ---- records */

/* Returns the time if some record may need it, else 0. Reading the clock takes longer than all the
 * rest of an event. */
static uint64_t opari_record_time(void)
{
    return (OPARI_LOAD(&opari_targets_observed) & OPARI_TARGETS_RECORDS) != 0 ? opari_device_now()
                                                                              : 0;
}

static int opari_records(const struct opari_target *g, int event)
{
    return g->on != NULL && OPARI_LOAD(&g->on->tracing) != OPARI_TRACE_OFF &&
           (OPARI_LOAD(&g->on->events) >> event & 1) != 0;
}

static int opari_records_native(const struct opari_device *d, unsigned kind)
{
    return d != NULL && OPARI_LOAD(&d->tracing) != OPARI_TRACE_OFF &&
           (OPARI_LOAD(&d->native) & kind) != 0;
}

/* Returns the id that the tracing tool has stored, or otherwise. That tool is the user's, and there
 * is only one. */
static uint64_t opari_traced_id(const ompt_data_t *words, uint64_t otherwise)
{
    const uint64_t own = words != NULL ? words[opari_own_tools].value : 0;
    return own != 0 ? own : otherwise;
}

static OPARI_TLS uint64_t opari_system_id; /* the thread's number in the operating system */

static uint64_t opari_hwid(void)
{
    if (opari_system_id == 0)
        opari_system_id = (uint64_t)syscall(SYS_gettid);
    return opari_system_id;
}

static void opari_record(struct opari_thread *t, const struct opari_target *g,
                         struct opari_record *r, int event, uint64_t time, const void *more,
                         size_t size)
{
    r->head.type = ompt_record_ompt;
    r->ompt.type = (ompt_callbacks_t)event;
    r->ompt.time = time;
    r->ompt.thread_id = opari_traced_id(t->data, opari_hwid());
    r->ompt.target_id = opari_traced_id(g->data, g->id);
    r->thread = &t->data[opari_own_tools];
    opari_device_record(g->on, &r->head, sizeof *r, more, size);
}

static void opari_record_native(struct opari_device *d, unsigned kind, uint64_t start, uint64_t end,
                                uint64_t id, uint64_t bytes)
{
    struct opari_native r = {{0, ompt_record_native}, kind, start, end, opari_hwid(), id, bytes};
    opari_device_record(d, &r.head, sizeof r, NULL, 0);
}

/* ---- events: of the two callbacks for an event a tool that has both gets the one with emi */

static OPARI_TLS uint64_t opari_target_began; /* while the begin of a region is raised that began
                                                 earlier: the time of its begin; else 0 */

static void opari_target_raise(struct opari_thread *t, struct opari_target *g,
                               ompt_scope_endpoint_t at)
{
    ompt_data_t *encountering = g->encountering;
    OPARI_TOOLS_EACH (tool) {
        ompt_callback_target_emi_t emi =
            (ompt_callback_target_emi_t)opari_call(tool, ompt_callback_target_emi);
        ompt_callback_target_t call =
            (ompt_callback_target_t)opari_call(tool, ompt_callback_target);
        if (emi != NULL)
            emi((ompt_target_t)g->kind, at, g->device, encountering + tool, g->task + tool,
                &g->data[tool], g->ra);
        else if (call != NULL)
            call((ompt_target_t)g->kind, at, g->device, encountering + tool, g->id, g->ra);
    }
    if (!opari_records(g, ompt_callback_target))
        return;
    struct opari_record r = {0};
    r.ompt.record.target.kind = (ompt_target_t)g->kind;
    r.ompt.record.target.endpoint = at;
    r.ompt.record.target.device_num = g->device;
    r.ompt.record.target.task_id = encountering[opari_own_tools].value;
    r.ompt.record.target.target_id = opari_traced_id(g->data, g->id);
    r.ompt.record.target.codeptr_ra = g->ra;
    opari_record(t, g, &r, ompt_callback_target,
                 opari_target_began != 0 ? opari_target_began : opari_record_time(), NULL, 0);
}

/* Begins an instance. encountering and task are the data words of the encountering task and of the
 * target task. A null task means that the bridge has no record of the target task. */
static OPARI_MAYBE void opari_target_begin(struct opari_thread *t, struct opari_target *g, int kind,
                                           int device, ompt_data_t *encountering, ompt_data_t *task,
                                           const void *ra)
{
    memset(g, 0, sizeof *g);
    g->kind = kind;
    g->device = device;
    g->ra = ra;
    g->encountering = encountering;
    g->task = task != NULL ? task : g->own_task;
    g->id = opari_get_unique_id();
    g->on = opari_device_use(device);
    g->granted = 1;
    g->outer = t->target;
    OPARI_SIGNAL_FENCE();
    t->target = g;
    opari_target_raise(t, g, ompt_scope_begin);
}

static OPARI_MAYBE void opari_target_end(struct opari_thread *t, struct opari_target *g)
{
    opari_target_raise(t, g, ompt_scope_end);
    opari_self->target = g->outer;
}

/* Ends a region that a call of the program has begun, however the thread leaves it. */
static OPARI_COLD void opari_target_left(struct opari_thread *t, struct opari_entry *e,
                                         const void *ra)
{
    struct opari_target *g = e->of.target;
    e->flags &= ~OPARI_ENTRY_TARGET;
    if (g->later != 0)
        opari_target_begin(t, g, g->later, g->device, t->task->data, NULL, ra);
    opari_target_end(t, g);
    free(g);
}

/* Attaches instance g to the innermost entry e: the region ends with the entry. */
static OPARI_MAYBE void opari_target_of_entry(struct opari_entry *e, struct opari_target *g)
{
    OPARI_STORE(&opari_target_closer, opari_target_left);
    e->of.target = g;
    e->flags |= OPARI_ENTRY_TARGET;
}

/* Raises an operation on data. The callback without emi comes once: after an allocation, and before
 * any other operation. */
static void opari_operation_raise(struct opari_target *g, struct opari_operation *o,
                                  ompt_scope_endpoint_t at)
{
    static ompt_data_t none[OPARI_TOOLS];
    const int once = at == (o->type == ompt_target_data_alloc ? ompt_scope_end : ompt_scope_begin);
    OPARI_TOOLS_EACH (tool) {
        ompt_callback_target_data_op_emi_t emi =
            (ompt_callback_target_data_op_emi_t)opari_call(tool, ompt_callback_target_data_op_emi);
        ompt_callback_target_data_op_t call =
            (ompt_callback_target_data_op_t)opari_call(tool, ompt_callback_target_data_op);
        if (emi != NULL)
            emi(at, g->task != NULL ? g->task + tool : NULL,
                g->task != NULL ? &g->data[tool] : &none[tool], &o->id,
                (ompt_target_data_op_t)o->type, o->source, o->from, o->destination, o->to, o->bytes,
                g->ra);
        else if (call != NULL && once)
            call(g->id, o->id, (ompt_target_data_op_t)o->type, o->source, o->from, o->destination,
                 o->to, o->bytes, g->ra);
    }
}

static void opari_operation_begin(struct opari_target *g, struct opari_operation *o)
{
    o->id = opari_get_unique_id();
    g->operation = o->id;
    if ((OPARI_LOAD(&opari_targets_observed) & OPARI_TARGETS_OPERATIONS) != 0)
        opari_operation_raise(g, o, ompt_scope_begin);
    o->begins = o->began != 0 ? o->began : opari_record_time();
}

static void opari_operation_end(struct opari_thread *t, struct opari_target *g,
                                struct opari_operation *o)
{
    const int observed = (OPARI_LOAD(&opari_targets_observed) & OPARI_TARGETS_OPERATIONS) != 0;
    const uint64_t end = o->ended != 0                             ? o->ended
                         : observed || o->source != o->destination ? opari_record_time()
                                                                   : o->begins;
    t->regions.took = o->ended - o->began;
    if (observed)
        opari_operation_raise(g, o, ompt_scope_end);
    t->regions.took = 0;
    g->operation = 0;
    if (o->begins == 0 || !opari_records(g, ompt_callback_target_data_op))
        return;
    if (g->on->older && o->source == o->destination)
        return; /* the report of 2016 knows only operations that result in activity */
    struct opari_record r = {0};
    ompt_record_target_data_op_t *to = &r.ompt.record.target_data_op;
    to->host_op_id = o->id;
    to->optype = (ompt_target_data_op_t)o->type;
    to->src_addr = o->source;
    to->src_device_num = o->from;
    to->dest_addr = o->destination;
    to->dest_device_num = o->to;
    to->bytes = o->bytes;
    to->end_time = end;
    to->codeptr_ra = g->ra;
    opari_record(t, g, &r, ompt_callback_target_data_op, o->begins, NULL, 0);
}

/* ---- kernels */

/* The time at which the thread's last kernel ended; 0: it had none. */
static OPARI_TLS uint64_t opari_idle_since;

static void opari_submit_raise(struct opari_target *g, ompt_scope_endpoint_t at)
{
    OPARI_TOOLS_EACH (tool) {
        ompt_callback_target_submit_emi_t emi =
            (ompt_callback_target_submit_emi_t)opari_call(tool, ompt_callback_target_submit_emi);
        ompt_callback_target_submit_t call =
            (ompt_callback_target_submit_t)opari_call(tool, ompt_callback_target_submit);
        if (emi != NULL)
            emi(at, &g->data[tool], &g->operation, g->requested);
        else if (call != NULL && at == ompt_scope_begin)
            call(g->id, g->operation, g->requested);
    }
}

static OPARI_MAYBE void opari_submit_begin(struct opari_target *g, unsigned requested)
{
    g->requested = requested;
    g->granted = requested == 1 || (g->on != NULL && g->on->host); /* otherwise only the device
                                                                      knows */
    g->operation = opari_get_unique_id();
    opari_submit_raise(g, ompt_scope_begin);
    g->begins = opari_record_time();
    if (opari_idle_since != 0 && opari_records_native(g->on, ompt_native_idleness))
        opari_record_native(g->on, ompt_native_idleness, opari_idle_since, g->begins, ompt_id_none,
                            0);
    if (g->arrivals != 0 && opari_records_native(g->on, ompt_native_kernel_invocation))
        opari_record_native(g->on, ompt_native_kernel_invocation, g->arrivals, g->begins,
                            g->operation, 0);
}

/* The kernel is over. Its times are known where the host's threads executed it. */
static OPARI_MAYBE void opari_submit_end(struct opari_thread *t, struct opari_target *g)
{
    const int timed = g->on != NULL && g->on->host && g->begins != 0; /* 0: the trace was started
                                                                         after the kernel */
    const uint64_t end = opari_record_time();
    if (timed)
        opari_idle_since = end;
    opari_submit_raise(g, ompt_scope_end);
    if (timed && opari_records_native(g->on, ompt_native_kernel_execution))
        opari_record_native(g->on, ompt_native_kernel_execution, g->begins, end, g->operation, 0);
    if (g->begins != 0 && opari_records(g, ompt_callback_target_submit)) {
        struct opari_record r = {0};
        r.ompt.record.target_kernel.host_op_id = g->operation;
        r.ompt.record.target_kernel.requested_num_teams = g->requested;
        r.ompt.record.target_kernel.granted_num_teams = g->granted;
        r.ompt.record.target_kernel.end_time = end;
        opari_record(t, g, &r, ompt_callback_target_submit, g->begins, NULL, 0);
    }
    g->operation = 0;
}

static int opari_get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *operation)
{
    const struct opari_thread *t = opari_self;
    const struct opari_target *g = t != NULL ? t->target : NULL;
    if (g == NULL)
        return 0;
    if (device != NULL)
        *device = (uint64_t)g->device;
    if (target != NULL)
        *target = opari_traced_id(g->data, g->id);
    if (operation != NULL)
        *operation = g->operation;
    return 1;
}
