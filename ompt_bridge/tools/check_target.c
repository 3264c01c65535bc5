/* check_target.c: the checker's callbacks for constructs of the target family, for operations in
 * them, and for devices. */
#include "check.h"

enum { DEVICES = 64 };

static uint64_t devices_known; /* bit n: device n is initialized */

static int is_device(int n) { return n >= 0 && n < DEVICES && (devices_known >> n & 1) != 0; }

static struct check_target *target_of(const ompt_data_t *data) { return object(what_target, data); }

static int is_target(int k)
{
    return (k >= ompt_target && k <= ompt_target_update) ||
           (k >= ompt_target_nowait && k <= ompt_target_update_nowait);
}
static int target_base(int k) { return k & 7; }

static void on_device_initialize(int device, const char *type, ompt_device_t *handle,
                                 ompt_function_lookup_t lookup, const char *documentation)
{
    (void)enter(ompt_callback_device_initialize, "device_initialize");
    (void)type, (void)handle, (void)lookup, (void)documentation;
    REQUIRE(device >= 0 && !is_device(device), rule_device_known,
            "device %d is initialized a second time", device);
    if (device >= 0 && device < DEVICES)
        devices_known |= (uint64_t)1 << device;
    leave();
}

static void on_device_finalize(int device)
{
    (void)enter(ompt_callback_device_finalize, "device_finalize");
    REQUIRE(is_device(device), rule_device_known, "device %d is finalized, but not initialized",
            device);
    if (device >= 0 && device < DEVICES)
        devices_known &= ~((uint64_t)1 << device);
    leave();
}

/* Checks the tasks of a construct. With nowait a target task executes it, and runs now. That task's
 * creator is the encountering task, unless it has ended. */
static void check_target_tasks(const struct check_thread *t, int kind, const ompt_data_t *task,
                               const ompt_data_t *target_task)
{
    const struct check_task *k = task_of(target_task), *encountering = task_of(task),
                            *c = t->current;
    REQUIRE(target_task != NULL, rule_target_task, "the target task's data is NULL");
    REQUIRE(encountering != NULL &&
                (encountering == c ||
                 (c != NULL && (c->flags & ompt_task_target) != 0 && encountering == c->parent)),
            rule_target_task, "the encountering task is %s",
            encountering == NULL ? "unknown" : "neither the current one nor its creator");
    if (kind >= ompt_target_nowait)
        REQUIRE(k != NULL && k == c && (k->flags & ompt_task_target) != 0, rule_target_task,
                "the target task is %s",
                k == NULL ? "unknown"
                : k != c  ? "not the current one"
                          : "none by its creation");
}

static void begin_target(struct check_thread *t, int kind, int device, ompt_data_t *task,
                         ompt_data_t *target_task, ompt_data_t *data)
{
    struct check_target *g = allocate(sizeof *g);
    g->kind = kind, g->device = device, g->task = task, g->target_task = target_task,
    g->data = data;
    g->outer = t->target;
    t->target = g;
    REQUIRE(is_device(device), rule_device_known, "device %d is not initialized", device);
    mark(what_target, rule_target_data, data, g);
}

static void end_target(struct check_thread *t, int device, const ompt_data_t *task,
                       const ompt_data_t *target_task, const ompt_data_t *data)
{
    const struct check_target *g = t->target;
    REQUIRE(g != NULL && g == target_of(data), rule_target_pair, "the construct is %s",
            target_of(data) == NULL ? "unknown" : "not the one that the thread began last");
    if (g == NULL)
        return;
    REQUIRE(g->device == device && g->task == task && g->target_task == target_task,
            rule_target_pair, "device %d, but %d at the begin, or other tasks", device, g->device);
    t->target = g->outer;
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                          ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *data,
                          const void *code)
{
    struct check_thread *t = enter(ompt_callback_target_emi, "target_emi");
    REQUIRE(is_target((int)kind), rule_kind, "kind %d", (int)kind);
    REQUIRE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end, rule_endpoint,
            "endpoint %d", (int)endpoint);
    check_target_tasks(t, (int)kind, task, target_task);
    check_info(t, 0);
    if (endpoint == ompt_scope_begin) {
        push(t->current, ompt_callback_target_emi, (int)kind, code, NULL);
        begin_target(t, (int)kind, device, task, target_task, data);
    } else {
        pop(t->current, ompt_callback_target_emi, (int)kind, code);
        end_target(t, device, task, target_task, data);
    }
    leave();
}

/* Checks that an operation names the thread's innermost construct. routine: a routine of the
 * program may also do it outside every construct. */
static void check_target_data(const struct check_thread *t, const ompt_data_t *data, int routine)
{
    const struct check_target *g = target_of(data);
    if (routine && (data == NULL || data->value == 0))
        return;
    REQUIRE(g != NULL && g == t->target, rule_target_data, "the data is that of %s",
            g == NULL ? "no construct" : "another construct");
}

/* Returns the number of an operation, which a runtime may leave to the tool. */
static ompt_id_t number_of(ompt_scope_endpoint_t endpoint, ompt_id_t *id)
{
    static ompt_id_t last;
    REQUIRE(id != NULL, rule_operation, "without a place for its number");
    if (id != NULL && endpoint == ompt_scope_begin && *id == 0)
        *id = --last; /* a runtime that counts up never reaches these */
    return id == NULL ? 0 : *id;
}

/* Checks the begin and the end of an operation on data. Both have the same arguments. */
static void operation(struct check_thread *t, ompt_scope_endpoint_t endpoint,
                      const struct check_operation *o)
{
    const struct check_operation *b = &t->operation;
    REQUIRE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end, rule_endpoint,
            "endpoint %d", (int)endpoint);
    if (endpoint == ompt_scope_begin) {
        REQUIRE(b->event == 0, rule_operation, "it begins within another");
        t->operation = *o;
        return;
    }
    REQUIRE(b->event == o->event && b->type == o->type && b->id == o->id && b->bytes == o->bytes &&
                b->source == o->source &&
                (b->destination == o->destination || o->type == ompt_target_data_alloc),
            rule_operation, "%s",
            b->event == 0 ? "it ends without a begin" : "it ends otherwise than it began");
    t->operation.event = 0;
}

static void on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
                           ompt_data_t *data, ompt_id_t *id, ompt_target_data_op_t type,
                           void *source, int from, void *destination, int to, size_t bytes,
                           const void *code)
{
    struct check_thread *t = enter(ompt_callback_target_data_op_emi, "target_data_op_emi");
    const struct check_operation o = {ompt_callback_target_data_op_emi,
                                      (int)type,
                                      number_of(endpoint, id),
                                      bytes,
                                      source,
                                      destination};
    const int known =
        (type >= ompt_target_data_alloc && type <= ompt_target_data_disassociate) ||
        (type >= ompt_target_data_alloc_async && type <= ompt_target_data_delete_async);
    (void)target_task, (void)code;
    REQUIRE(known, rule_kind, "type %d", (int)type);
    REQUIRE(is_device(from) || is_device(to), rule_device_known,
            "neither device %d nor %d is initialized", from, to);
    check_target_data(t, data, 1);
    operation(t, endpoint, &o);
    check_info(t, 0);
    leave();
}

static void on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *data, ompt_id_t *id,
                          unsigned teams)
{
    struct check_thread *t = enter(ompt_callback_target_submit_emi, "target_submit_emi");
    const struct check_target *g = target_of(data);
    (void)teams;
    check_target_data(t, data, 0);
    REQUIRE(g == NULL || target_base(g->kind) == ompt_target, rule_target_scope,
            "submit in a construct of kind %d", g == NULL ? 0 : g->kind);
    REQUIRE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end, rule_endpoint,
            "endpoint %d", (int)endpoint);
    (void)number_of(endpoint, id);
    REQUIRE(t->operation.event == 0, rule_operation, "within an operation on data");
    if (endpoint == ompt_scope_begin)
        push(t->current, ompt_callback_target_submit_emi, 0, NULL, NULL);
    else
        pop(t->current, ompt_callback_target_submit_emi, 0, NULL);
    check_info(t, 0);
    leave();
}

static void on_map_emi(ompt_data_t *data, unsigned n, void **host, void **device, size_t *bytes,
                       unsigned *flags, const void *code)
{
    struct check_thread *t = enter(ompt_callback_target_map_emi, "target_map_emi");
    const struct check_target *g = target_of(data);
    (void)code;
    check_target_data(t, data, 0);
    REQUIRE(g == NULL || target_base(g->kind) != ompt_target_update, rule_target_scope,
            "map in a construct of kind %d", g == NULL ? 0 : g->kind);
    REQUIRE(n > 0 && host != NULL && device != NULL && bytes != NULL && flags != NULL,
            rule_target_scope, "%u items", n);
    check_info(t, 0);
    leave();
}
