/* lines.c: which line each event of the primary thread has. The program is its own tool, so it runs under any runtime; what it
 * prints is the event, its endpoint and its code pointer. Thread 0 executes the singles: the other one waits for it.
 */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static struct {
    char what[40];
    int end;
    const void *ra;
} events[400];
static int count;
static _Thread_local int is_primary;
static int turn, a[8];

static void note(const char *event, int kind, int end, const void *ra)
{
    if (!is_primary || count == 400)
        return;
    snprintf(events[count].what, sizeof events[count].what, "%s-%d", event, kind);
    events[count].end = end;
    events[count++].ra = ra;
}

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned n, int flags, const void *ra)
{
    (void)task, (void)frame, (void)parallel, (void)n, (void)flags;
    note("parallel", 0, 0, ra);
}
static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *ra)
{
    (void)task, (void)parallel, (void)flags;
    note("parallel", 0, 1, ra);
}
static void on_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made, int flags, int depends, const void *ra)
{
    (void)task, (void)frame, (void)made, (void)flags, (void)depends;
    note("create", 0, 0, ra);
}
static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)p, (void)t;
    note("sync", (int)kind, at == ompt_scope_end, ra);
}
static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)p, (void)t;
    note("wait", (int)kind, at == ompt_scope_end, ra);
}
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *t, uint64_t n, const void *ra)
{
    (void)p, (void)t, (void)n;
    note("work", (int)kind, at == ompt_scope_end, ra);
}
static void on_masked(ompt_scope_endpoint_t at, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)p, (void)t;
    note("masked", 0, at == ompt_scope_end, ra);
}
static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait, const void *ra)
{
    (void)hint, (void)impl, (void)wait;
    note("mutex", (int)kind, 0, ra);
}
static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *ra)
{
    (void)wait;
    note("acquired", (int)kind, 0, ra);
}
static void on_released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *ra)
{
    (void)wait;
    note("mutex", (int)kind, 1, ra);
}
static void on_flush(ompt_data_t *thread, const void *ra)
{
    (void)thread;
    note("flush", 0, 0, ra);
}
static int on_control(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    (void)modifier, (void)arg;
    note("control", (int)command, 0, ra);
    return 0;
}

static int start(ompt_function_lookup_t look_up, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    (void)device, (void)data;
    is_primary = 1;
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_callback_task_create, (ompt_callback_t)on_create);
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
    set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait);
    set(ompt_callback_work, (ompt_callback_t)on_work);
    set(ompt_callback_masked, (ompt_callback_t)on_masked);
    set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
    set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
    set(ompt_callback_flush, (ompt_callback_t)on_flush);
    set(ompt_callback_control_tool, (ompt_callback_t)on_control);
    return 1;
}

static void finish(ompt_data_t *data)
{
    (void)data;
    for (int i = 0; i < count; i++)
        printf("%s %d %lx\n", events[i].what, events[i].end, (unsigned long)events[i].ra);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {start, finish, {0}};
    (void)version, (void)runtime;
    return &tool;
}

/* Lets the other thread come behind the primary one. */
static void give(void) { __atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST); }
static void await(int n)
{
    while (!is_primary && __atomic_load_n(&turn, __ATOMIC_SEQ_CST) < n)
        ;
}

/* The last statement of a function is where a compiler would jump rather than call. */
__attribute__((noinline)) static void last_critical(void)
{
    a[0]++;

    #pragma omp critical
    a[1]++;
}
__attribute__((noinline)) static void last_loop(void)
{
    a[0]++;

    #pragma omp for nowait
    for (int i = 0; i < 4; i++)
        a[i]++;
}
__attribute__((noinline)) static void last_flush(void)
{
    a[0]++;

    #pragma omp flush
}
__attribute__((noinline)) static void last_wait(void)
{
    a[0]++;

    #pragma omp taskwait
}
__attribute__((noinline)) static void last_master(void)
{
    a[0]++;

    #pragma omp master
    a[1]++;
}
__attribute__((noinline)) static void last_single(void)
{
    a[0]++;

    await(3);
    #pragma omp single nowait
    {
        a[1]++;
        give();
    }
}

static void worksharing(void)
{
    #pragma omp for
    for (int i = 0; i < 4; i++)
        a[i]++;

    a[1]++;

    #pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
        a[i]++;

    a[1]++;

    #pragma omp sections
    {
        #pragma omp section
        a[1]++;
        #pragma omp section
        a[2]++;
    }

    await(1);
    #pragma omp single
    {
        a[3]++;
        give();
    }

    await(2);
    #pragma omp single nowait
    {
        a[3]++;
        give();
    }

    a[2]++;

    #pragma omp for ordered
    for (int i = 0; i < 4; i++) {
        a[i]++;

        #pragma omp ordered
        {
            a[i]++;
        }

        a[i]++;
    }
}

static void synchronization(void)
{
    #pragma omp master
    {
        a[3]++;
    }

    a[2]++;

    #pragma omp critical
    {
        a[3]++;
    }

    a[2]++;

    #pragma omp flush

    a[2]++;

    #pragma omp barrier

    a[2]++;
}

static void tasking(void)
{
    #pragma omp task
    a[3]++;

    a[2]++;

    #pragma omp taskwait

    a[2]++;

    #pragma omp task if (0)
    a[3]++;

    a[2]++;

    #pragma omp taskgroup
    {
        a[3]++;

        #pragma omp task
        a[3]++;

        a[2]++;
    }
}

int main(void)
{
    #pragma omp parallel num_threads(2)
    {
        a[0]++;

        worksharing();

        a[0]++;

        synchronization();
        tasking();
        last_critical();
        last_loop();
        last_flush();
        last_wait();
        last_master();
        last_single();
    }

    a[1]++;

    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++)
        a[i]++;

    a[1]++;

    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        a[1]++;
        #pragma omp section
        a[2]++;
    }

    a[1]++;

    omp_control_tool(omp_control_tool_flush, 1, NULL);

    a[1]++;

    return a[0] < 0;
}
