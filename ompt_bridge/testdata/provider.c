/* provider.c: a runtime that is none: starts the tool PROVIDER TOOL.so and raises the events that standard input lists, right or wrong.
 *
 * A line is THREAD EVENT ARGUMENT...; each thread is one of its own, and a line begins when the one before it is done. Arguments are
 * numbers, or names of data, or null. What the entry points of inquiry answer follows from the events; `set NAME FIELD VALUE`
 * and `state N WAIT` make them say something else.
 */
#define _GNU_SOURCE
#include "../src/omp_tools.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 14

/* A name in the script: a task, a region or a thread's data, whatever it is used as. */
struct object {
    struct object *next;
    char name[32];
    ompt_data_t data;
    struct object *parent, *region; /* of a task: the next level, and its region; of a region: parent is the encountering task */
    struct object *below;           /* what the thread ran before it */
    int flags, number, size, depth;
    int wild; /* of a task: its region is given by a pointer that leads nowhere */
    ompt_frame_t frame;
};

struct thread {
    pthread_t id;
    sem_t go, done;
    struct object *current, *data;
    int state;
    ompt_wait_id_t wait;
    int waits; /* for a mutex, in mutex_acquire */
};

static ompt_callback_t callbacks[64];
static struct object *objects;
static struct thread threads[8];
static __thread struct thread *self;
static char words[WORDS][64];
static int count;

static void fail(const char *what)
{
    fprintf(stderr, "provider: %s:", what);
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %s", words[i]);
    fprintf(stderr, "\n");
    exit(3);
}

static struct object *named(const char *name)
{
    struct object *o = objects;
    if (strcmp(name, "null") == 0)
        return NULL;
    while (o != NULL && strcmp(o->name, name) != 0)
        o = o->next;
    if (o == NULL) {
        o = calloc(1, sizeof *o);
        snprintf(o->name, sizeof o->name, "%s", name);
        o->next = objects;
        objects = o;
    }
    return o;
}

static const char *arg(int i)
{
    if (i + 2 >= count)
        fail("too few arguments");
    return words[i + 2];
}

static struct object *obj(int i) { return named(arg(i)); }
static ompt_data_t *dat(int i) { return obj(i) == NULL ? NULL : &obj(i)->data; }
static unsigned long num(int i) { return strtoul(arg(i), NULL, 0); }
static const void *code(int i) { return (const void *)num(i); }

/* ---- inquiry */

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
    callbacks[event] = callback;
    return ompt_set_always;
}

static ompt_data_t *get_thread_data(void) { return self->data == NULL ? NULL : &self->data->data; }

static int get_state(ompt_wait_id_t *wait)
{
    if (wait != NULL)
        *wait = self->wait;
    return self->state;
}

static int enumerate_states(int current, int *next, const char **name)
{
    static const int known[] = {0x102, 0, 1, 0x11, 0x12, 0x14, 0x20, 0x21, 0x41, 0x42, 0x44, 0x100, 0x101};
    for (size_t i = 0; i + 1 < sizeof known / sizeof known[0]; i++)
        if (known[i] == current) {
            *next = known[i + 1];
            *name = "some state";
            return 1;
        }
    return 0;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame, ompt_data_t **parallel, int *number)
{
    struct object *o = self->current;
    while (o != NULL && level-- > 0)
        o = o->parent;
    if (o == NULL)
        return 0;
    *flags = o->flags, *task = &o->data, *frame = &o->frame, *number = o->number;
    *parallel = o->wild ? (ompt_data_t *)8 : o->region == NULL ? NULL : &o->region->data;
    return 2;
}

static int get_parallel_info(int level, ompt_data_t **parallel, int *size)
{
    struct object *r = self->current == NULL ? NULL : self->current->region;
    while (r != NULL && level-- > 0)
        r = r->parent == NULL ? NULL : r->parent->region;
    if (r == NULL)
        return 0;
    *parallel = &r->data, *size = r->size;
    return 2;
}

static ompt_interface_fn_t lookup(const char *name)
{
    static const struct {
        const char *name;
        ompt_interface_fn_t f;
    } all[] = {
        {"ompt_set_callback", (ompt_interface_fn_t)set_callback},       {"ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data},
        {"ompt_get_state", (ompt_interface_fn_t)get_state},             {"ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states},
        {"ompt_get_task_info", (ompt_interface_fn_t)get_task_info},     {"ompt_get_parallel_info", (ompt_interface_fn_t)get_parallel_info},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].f;
    return NULL;
}

/* ---- events */

/* Frames of a deeper task lie lower. A task is always between the two of its own. */
static void begin_task(struct object *t, struct object *parent, struct object *region, int flags)
{
    t->parent = parent, t->region = region, t->flags = flags;
    t->depth = parent == NULL ? 0 : parent->depth + 1;
    t->frame.exit_frame.value = parent == NULL ? 0 : 0x100000 - (uint64_t)t->depth * 0x100;
    t->frame.enter_frame.value = 0x100000 - (uint64_t)t->depth * 0x100 - 0x80;
    t->frame.exit_frame_flags = t->frame.enter_frame_flags = 0x20;
}

#define RAISE(event, ...) ((ompt_callback_##event##_t)callbacks[ompt_callback_##event])(__VA_ARGS__)
#define IS(name) (strcmp(words[1], name) == 0)

static void run(struct object *t)
{
    if (t->below == NULL && t != self->current)
        t->below = self->current;
    self->current = t;
}

static void implicit_task(void)
{
    struct object *t = obj(2), *r = obj(1);
    int begin = num(0) == ompt_scope_begin;
    if (begin && t != NULL) {
        if (r != NULL)
            r->size = (int)num(3);
        begin_task(t, r == NULL ? NULL : r->parent, r, (int)num(5));
        t->number = num(5) == ompt_task_initial ? 0 : (int)num(4);
        run(t);
    }
    RAISE(implicit_task, (ompt_scope_endpoint_t)num(0), dat(1), dat(2), (unsigned)num(3), (unsigned)num(4), (int)num(5));
    if (!begin && t != NULL)
        self->current = t->below;
}

/* A frame argument of 0 is none, any other is the encountering task's. */
static const ompt_frame_t *frame(int i) { return num(i) == 0 || obj(0) == NULL ? NULL : &obj(0)->frame; }

static int task_event(void)
{
    if (IS("parallel_begin")) {
        obj(2)->parent = self->current;
        RAISE(parallel_begin, dat(0), frame(1), dat(2), (unsigned)num(3), (int)num(4), code(5));
    } else if (IS("parallel_end")) {
        RAISE(parallel_end, dat(0), dat(1), (int)num(2), code(3));
    } else if (IS("task_create")) {
        if (obj(2) != NULL) {
            begin_task(obj(2), self->current, self->current->region, (int)num(3));
            obj(2)->number = self->current->number;
        }
        RAISE(task_create, dat(0), frame(1), dat(2), (int)num(3), (int)num(4), code(5));
    } else if (IS("task_schedule")) {
        if (obj(2) != NULL) {
            if (obj(2)->flags & ompt_task_explicit)
                obj(2)->number = self->current == NULL ? 0 : self->current->number;
            run(obj(2));
        }
        RAISE(task_schedule, dat(0), (ompt_task_status_t)num(1), dat(2));
    } else if (IS("dependences")) {
        struct {
            ompt_data_t variable;
            int type;
        } list[2] = {{{1}, (int)num(1)}, {{2}, (int)num(1)}};
        ((void (*)(ompt_data_t *, const void *, int))callbacks[ompt_callback_dependences])(dat(0), list, (int)num(2));
    } else if (IS("task_dependence")) {
        ((void (*)(ompt_data_t *, ompt_data_t *))callbacks[ompt_callback_task_dependence])(dat(0), dat(1));
    } else if (IS("implicit_task")) {
        implicit_task();
    } else {
        return 0;
    }
    return 1;
}

static int scope_event(void)
{
    ompt_data_t chunk = {0};
    if (IS("work"))
        RAISE(work, (ompt_work_t)num(0), (ompt_scope_endpoint_t)num(1), dat(2), dat(3), 0, code(4));
    else if (IS("masked"))
        RAISE(masked, (ompt_scope_endpoint_t)num(0), dat(1), dat(2), code(3));
    else if (IS("dispatch"))
        RAISE(dispatch, dat(1), dat(2), (ompt_dispatch_t)num(0), chunk);
    else if (IS("sync_region"))
        RAISE(sync_region, (ompt_sync_region_t)num(0), (ompt_scope_endpoint_t)num(1), dat(2), dat(3), code(4));
    else if (IS("sync_region_wait"))
        ((ompt_callback_sync_region_t)callbacks[ompt_callback_sync_region_wait])((ompt_sync_region_t)num(0), (ompt_scope_endpoint_t)num(1),
                                                                                 dat(2), dat(3), code(4));
    else if (IS("reduction"))
        ((ompt_callback_sync_region_t)callbacks[ompt_callback_reduction])((ompt_sync_region_t)num(0), (ompt_scope_endpoint_t)num(1), dat(2),
                                                                          dat(3), code(4));
    else if (IS("cancel"))
        RAISE(cancel, dat(0), (int)num(1), code(2));
    else if (IS("flush"))
        RAISE(flush, dat(0), code(1));
    else
        return 0;
    return 1;
}

/* Arguments: target_emi kind endpoint device task target_task data code; data_op_emi endpoint data id type from to bytes; submit_emi endpoint
 * data id; map_emi data items. */
static int target_event(void)
{
    static ompt_data_t none;
    static void *addresses[4];
    static size_t sizes[4];
    static unsigned flags[4];
    if (IS("target_emi")) {
        RAISE(target_emi, (ompt_target_t)num(0), (ompt_scope_endpoint_t)num(1), (int)num(2), dat(3), dat(4), dat(5), code(6));
    } else if (IS("data_op_emi")) {
        ompt_id_t id = num(2);
        RAISE(target_data_op_emi, (ompt_scope_endpoint_t)num(0), &none, dat(1), &id, (ompt_target_data_op_t)num(3), &none, (int)num(4), &none,
              (int)num(5), num(6), code(2));
    } else if (IS("submit_emi")) {
        ompt_id_t id = num(2);
        RAISE(target_submit_emi, (ompt_scope_endpoint_t)num(0), dat(1), &id, 1);
    } else if (IS("map_emi")) {
        RAISE(target_map_emi, dat(0), (unsigned)num(1), addresses, addresses, sizes, flags, NULL);
    } else if (IS("device_initialize")) {
        RAISE(device_initialize, (int)num(0), "none", NULL, NULL, "");
    } else if (IS("device_finalize")) {
        RAISE(device_finalize, (int)num(0));
    } else {
        return 0;
    }
    return 1;
}

/* In mutex_acquire a thread waits, unless the script says something else of it and of a wait id. */
static void wait_for(int kind, ompt_wait_id_t wait)
{
    if (self->wait != 0 || kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock)
        return;
    self->state = kind == ompt_mutex_critical ? ompt_state_wait_critical : kind == ompt_mutex_ordered ? ompt_state_wait_ordered : ompt_state_wait_lock;
    self->wait = wait;
    self->waits = 1;
}

static int mutex_event(void)
{
    const int before = self->state;
    static const struct {
        const char *name;
        int event, acquire;
    } all[] = {
        {"lock_init", ompt_callback_lock_init, 1},         {"mutex_acquire", ompt_callback_mutex_acquire, 1},
        {"lock_destroy", ompt_callback_lock_destroy, 0},   {"mutex_acquired", ompt_callback_mutex_acquired, 0},
        {"mutex_released", ompt_callback_mutex_released, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!IS(all[i].name))
            continue;
        if (all[i].event == ompt_callback_mutex_acquire)
            wait_for((int)num(0), num(1));
        if (all[i].acquire)
            ((ompt_callback_mutex_acquire_t)callbacks[all[i].event])((ompt_mutex_t)num(0), 0, 0, num(1), code(2));
        else
            ((ompt_callback_mutex_t)callbacks[all[i].event])((ompt_mutex_t)num(0), num(1), code(2));
        if (all[i].event == ompt_callback_mutex_acquire && self->waits)
            self->state = before, self->wait = 0, self->waits = 0;
        return 1;
    }
    if (!IS("nest_lock"))
        return 0;
    RAISE(nest_lock, (ompt_scope_endpoint_t)num(0), num(1), code(2));
    return 1;
}

static void set_field(struct object *o, const char *field, unsigned long value)
{
    static const char *const names[] = {"flags", "number", "size", "exit", "enter", "exit_flags", "data", "parent", "wild", NULL};
    int i = 0;
    while (names[i] != NULL && strcmp(names[i], field) != 0)
        i++;
    switch (i) {
    case 0: o->flags = (int)value; break;
    case 1: o->number = (int)value; break;
    case 2: o->size = (int)value; break;
    case 3: o->frame.exit_frame.value = value; break;
    case 4: o->frame.enter_frame.value = value; break;
    case 5: o->frame.exit_frame_flags = (int)value; break;
    case 6: o->data.value = value; break;
    case 7: o->parent = NULL; break;
    case 8: o->wild = (int)value; break;
    default: fail("no such field");
    }
}

static void perform(void)
{
    if (IS("thread_begin")) {
        self->data = obj(1);
        RAISE(thread_begin, (ompt_thread_t)num(0), dat(1));
    } else if (IS("thread_end")) {
        RAISE(thread_end, dat(0));
    } else if (IS("state")) {
        self->state = (int)num(0);
        self->wait = count > 3 ? num(1) : 0;
    } else if (IS("set")) {
        set_field(obj(0), arg(1), num(2));
    } else if (IS("current")) {
        self->current = obj(0);
    } else if (!task_event() && !scope_event() && !target_event() && !mutex_event()) {
        fail("no such event");
    }
}

static void *thread(void *arg_)
{
    self = arg_;
    self->state = ompt_state_overhead;
    for (;;) {
        sem_wait(&self->go);
        perform();
        sem_post(&self->done);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    char line[512];
    void *tool = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    ompt_start_tool_result_t *(*start)(unsigned, const char *);
    ompt_start_tool_result_t *result;
    if (tool == NULL || (start = (ompt_start_tool_result_t * (*)(unsigned, const char *)) dlsym(tool, "ompt_start_tool")) == NULL)
        fail(dlerror());
    result = start(202011, "no runtime");
    if (result == NULL || !result->initialize(lookup, 0, &result->tool_data))
        fail("the tool declines");
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct thread *t;
        count = 0;
        for (char *w = strtok(line, " \n"); w != NULL && count < WORDS; w = strtok(NULL, " \n"))
            snprintf(words[count++], sizeof words[0], "%s", w);
        if (count < 1)
            continue;
        if (strcmp(words[0], "finalize") == 0) {
            result->finalize(&result->tool_data);
            continue;
        }
        t = &threads[atoi(words[0]) & 7];
        if (t->id == 0) {
            sem_init(&t->go, 0, 0);
            sem_init(&t->done, 0, 0);
            pthread_create(&t->id, NULL, thread, t);
        }
        sem_post(&t->go);
        sem_wait(&t->done);
    }
    return 0;
}
