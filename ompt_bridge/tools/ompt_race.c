/* ompt_race.c: an OMPT tool that tells ThreadSanitizer the order that OpenMP's constructs imply.
 *
 * ThreadSanitizer sees what a program's threads access, and knows the order of threads by the
 * routines of POSIX. OpenMP's runtimes synchronise otherwise, so it reports races that are none.
 * This tool announces each construct's order by two words for each synchronisation: what comes
 * before it releases, and what comes after it acquires (race_order.h).
 *
 * Without ThreadSanitizer in the process it declines. OPARI_RACE names a file to which it appends
 * lines: "started", and "frame THREAD ADDRESS" when a task's frames begin higher on the stack of a
 * thread than those of earlier ones. OPARI_RACE_FIBERS=0 orders tasks by the threads that executed
 * them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "race_fibers.c"
#include "race_tasks.c"

ompt_get_task_info_t race_task_info;
ompt_get_task_memory_t race_task_memory;

/* ---- barriers and waits */

static int is_barrier(ompt_sync_region_t kind)
{
    return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
           kind != ompt_sync_region_reduction;
}

static void at_barrier(struct race_task *t, ompt_scope_endpoint_t at)
{
    if (t->team == NULL)
        return;
    char *word = &t->team->barrier[t->phase & 1];
    t->in_barrier = at == ompt_scope_begin;
    if (at == ompt_scope_begin) {
        __tsan_release(word);
    } else {
        __tsan_acquire(word);
        t->phase++;
    }
}

static void at_group(struct race_task *t, ompt_scope_endpoint_t at)
{
    struct race_group *g = t->group;
    if (at == ompt_scope_begin) {
        g = race_new(sizeof *g);
        if (g == NULL)
            return;
        g->references = 1;
        g->outer = t->group;
        t->group = g;
    } else if (g != NULL) {
        __tsan_acquire(&g->word);
        t->group = g->outer;
        drop_group(g);
    }
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                    ompt_data_t *task, const void *code)
{
    struct race_task *t = task == NULL ? NULL : task->ptr;
    (void)parallel, (void)code;
    race_note_depth();
    if (t == NULL)
        return;
    if (is_barrier(kind))
        at_barrier(t, at);
    else if (kind == ompt_sync_region_taskgroup)
        at_group(t, at);
    else if (kind == ompt_sync_region_taskwait && at == ompt_scope_end)
        __tsan_acquire(&t->children);
}

/* A runtime combines the reductions of a taskgroup behind the wait and before the group's end. */
static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                    ompt_data_t *task, const void *code)
{
    struct race_task *t = task == NULL ? NULL : task->ptr;
    (void)parallel, (void)code;
    if (t == NULL)
        return;
    t->waits = at == ompt_scope_begin;
    if (kind == ompt_sync_region_taskgroup && at == ompt_scope_end && t->group != NULL)
        __tsan_acquire(&t->group->word);
}

static void ignore(int begin)
{
    if (AnnotateIgnoreReadsBegin == NULL || AnnotateIgnoreReadsEnd == NULL ||
        AnnotateIgnoreWritesBegin == NULL || AnnotateIgnoreWritesEnd == NULL)
        return;
    (begin ? AnnotateIgnoreReadsBegin : AnnotateIgnoreReadsEnd)(__FILE__, __LINE__);
    (begin ? AnnotateIgnoreWritesBegin : AnnotateIgnoreWritesEnd)(__FILE__, __LINE__);
}

/* A runtime combines values in an order of its own: under a lock, or in a barrier as a tree. */
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                         ompt_data_t *task, const void *code)
{
    struct race_task *t = task == NULL ? NULL : task->ptr;
    (void)kind, (void)parallel, (void)code;
    if (t == NULL || t->team == NULL)
        return;
    if (at == ompt_scope_begin) {
        __tsan_acquire(&t->team->reduction);
        if (t->in_barrier)
            __tsan_acquire(&t->team->barrier[t->phase & 1]);
        ignore(1);
    } else {
        ignore(0);
        __tsan_release(&t->team->reduction);
    }
}

/* ---- sections */

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code)
{
    struct race_task *t = task == NULL ? NULL : task->ptr;
    (void)parallel, (void)count, (void)code;
    if (kind != ompt_work_sections || t == NULL)
        return;
    if (at == ompt_scope_begin) {
        __tsan_release(&t->sections);
    } else {
        race_section_end(t);
        __tsan_acquire(&t->sections_ended);
    }
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance)
{
    struct race_task *t = task == NULL ? NULL : task->ptr;
    (void)parallel, (void)instance;
    if (kind == ompt_dispatch_section && t != NULL)
        race_section_begin(t, race_frame_of_task());
}

/* ---- mutexes */

struct race_mutex {
    struct race_mutex *next;
    ompt_wait_id_t wait;
    int held;
    char word;
};

#define MUTEXES 1024

static struct race_mutex *mutexes[MUTEXES];

/* Entries stay: a lock's address is a name, and programs have few. */
static struct race_mutex *mutex(ompt_wait_id_t wait)
{
    struct race_mutex **list = &mutexes[((wait >> 3) ^ (wait >> 13)) % MUTEXES],
                      *first = __atomic_load_n(list, __ATOMIC_ACQUIRE), *made = NULL;
    for (;;) {
        for (struct race_mutex *m = first; m != NULL; m = m->next)
            if (m->wait == wait) {
                free(made);
                return m;
            }
        if (made == NULL && (made = race_new(sizeof *made)) == NULL)
            return NULL;
        made->wait = wait;
        made->next = first;
        if (__atomic_compare_exchange_n(list, &first, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return made;
    }
}

/* A runtime may say that a mutex is released when another thread has it already. The next holder
 * waits until it was said, but not for ever: a release may be missing. */
#define PATIENCE 10000

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
    struct race_mutex *m = mutex(wait);
    (void)kind, (void)code;
    if (m == NULL)
        return;
    for (int i = 0; i < PATIENCE && __atomic_exchange_n(&m->held, 1, __ATOMIC_ACQUIRE); i++)
        (void)sched_yield();
    __tsan_acquire(&m->word);
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
    struct race_mutex *m = mutex(wait);
    (void)kind, (void)code;
    if (m == NULL)
        return;
    __tsan_release(&m->word);
    __atomic_store_n(&m->held, 0, __ATOMIC_RELEASE);
}

/* ---- flush */

static char flushed;

/* Which flushes meet depends on the atomic accesses between them. That all of them meet hides races
 * and invents none. */
static void on_flush(ompt_data_t *thread, const void *code)
{
    (void)thread, (void)code;
    __tsan_acquire(&flushed);
    __tsan_release(&flushed);
}

/* ---- start */

static const struct {
    int event;
    ompt_callback_t callback;
} callbacks[] = {
    {ompt_callback_parallel_begin, (ompt_callback_t)race_on_parallel_begin},
    {ompt_callback_parallel_end, (ompt_callback_t)race_on_parallel_end},
    {ompt_callback_implicit_task, (ompt_callback_t)race_on_implicit_task},
    {ompt_callback_task_create, (ompt_callback_t)race_on_task_create},
    {ompt_callback_task_schedule, (ompt_callback_t)race_on_task_schedule},
    {ompt_callback_dependences, (ompt_callback_t)race_on_dependences},
    {ompt_callback_sync_region, (ompt_callback_t)on_sync},
    {ompt_callback_sync_region_wait, (ompt_callback_t)on_wait},
    {ompt_callback_reduction, (ompt_callback_t)on_reduction},
    {ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired},
    {ompt_callback_mutex_released, (ompt_callback_t)on_released},
    {ompt_callback_work, (ompt_callback_t)on_work},
    {ompt_callback_dispatch, (ompt_callback_t)on_dispatch},
    {ompt_callback_flush, (ompt_callback_t)on_flush},
};

void race_say(const char *line)
{
    const char *file = getenv("OPARI_RACE");
    int fd = file == NULL ? -1 : open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    (void)!write(fd, line, strlen(line));
    (void)close(fd);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)tool_data;
    if (set == NULL)
        return 0;
    race_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    race_task_memory = (ompt_get_task_memory_t)lookup("ompt_get_task_memory");
    race_fibers_start();
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        (void)set((ompt_callbacks_t)callbacks[i].event, callbacks[i].callback);
    race_say("started\n");
    return 1;
}

static void finalize(ompt_data_t *tool_data) { (void)tool_data; }

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version);

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return __tsan_acquire == NULL || __tsan_release == NULL ? NULL : &result;
}
