/* lazy.c: a lazy construct has no entry on the thread's stack until something happens in it (ompt_bridge/src/constructs/lazy.c). A tool must not see whether it has one:
 * the program prints its callbacks, and state and wait id after each call, three times: nothing happens within; after each call an event without a callback
 * happens; a signal's handler has such an event there.
 */
#include "pomp_lib.h"
#include "../../ompt_bridge/src/omp_tools.h"

#include <signal.h>
#include <stdio.h>

#define REGION(text, KIND) {text, "", 0, __FILE__, 1, 1, 1, 1, {0, 0, 0, 0}, 0, text, POMP_KIND_##KIND, 0, 0, 0, 0}
enum { USER, MASTER, OUTER, CRITICAL, ORDERED, BARRIER, TASKWAIT, SINGLE, FOR, REGIONS };
static struct ompregdescr d[] = {REGION("region", REGION), REGION("master", MASTER), REGION("master", MASTER), REGION("critical", CRITICAL),
                                 REGION("ordered", ORDERED), REGION("barrier", BARRIER), REGION("taskwait", TASKWAIT), REGION("single", SINGLE),
                                 REGION("for", FOR)};
static struct pomp_unit unit = {1, REGIONS, d, 0, 0};
__attribute__((constructor, destructor)) static void hook(void) { pomp_unit_1(&unit); }

static ompt_get_state_t state;
static ompt_get_task_info_t task_info;
static enum { NOTHING, EVENT, HANDLER } within;

static void now(const char *what, int kind, int at, ompt_wait_id_t id)
{
    ompt_wait_id_t wait = 0;
    ompt_frame_t *frame = NULL;
    const int s = state(&wait);
    (void)task_info(0, NULL, NULL, &frame, NULL, NULL);
    printf("%s %d, %d: state %#x%s%s%s\n", what, kind, at, (unsigned)s, wait != 0 ? ", waits" : "", id != 0 ? ", id" : "",
           frame != NULL && frame->enter_frame.ptr != NULL ? ", entered" : "");
}
static void on_masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel, (void)task;
    now(ra != NULL ? "masked" : "masked without an address", 0, at, 0);
}
static void on_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count, const void *ra)
{
    (void)parallel, (void)task, (void)count, (void)ra;
    now("work", type, at, 0);
}
static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel, (void)task, (void)ra;
    now("sync", kind, at, 0);
}
static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *ra)
{
    (void)hint, (void)impl, (void)ra;
    now("acquire", kind, 0, id);
}
static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra) { (void)ra, now("acquired", kind, 0, id); }
static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra) { (void)ra, now("released", kind, 0, id); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    state = (ompt_get_state_t)lookup("ompt_get_state");
    task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    (void)set(ompt_callback_masked, (ompt_callback_t)on_masked);
    (void)set(ompt_callback_work, (ompt_callback_t)on_work);
    (void)set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
    (void)set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync);
    (void)set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
    (void)set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
    (void)set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

static void no_callback(int s)
{
    (void)s;
    POMP_Begin(&d[USER], NULL);
    POMP_End(&d[USER], NULL);
}

#define CALL(name, region)                                                                                                     \
    do {                                                                                                                       \
        POMP_##name(&d[region]);                                                                                               \
        if (within == EVENT)                                                                                                   \
            no_callback(0);                                                                                                        \
        else if (within == HANDLER)                                                                                            \
            (void)raise(SIGUSR1);                                                                                              \
        now("behind " #name, 0, 0, 0);                                                                                         \
    } while (0)

static void all(void)
{
    CALL(Master_begin, MASTER); CALL(Master_end, MASTER);
    CALL(Critical_enter, CRITICAL); CALL(Critical_begin, CRITICAL); CALL(Critical_exit, CRITICAL);
    CALL(Ordered_enter, ORDERED); CALL(Ordered_begin, ORDERED); CALL(Ordered_exit, ORDERED);
    CALL(Barrier_enter, BARRIER); CALL(Barrier_exit, BARRIER);
    CALL(Taskwait_enter, TASKWAIT); CALL(Taskwait_exit, TASKWAIT);
    CALL(For_enter, FOR); CALL(Barrier_enter, FOR); CALL(Barrier_exit, FOR);
    CALL(Single_only_begin, SINGLE); CALL(Barrier_enter, SINGLE); CALL(Barrier_exit, SINGLE);
    CALL(Single_only_begin, SINGLE); CALL(Single_only_end, SINGLE);
    /* One in another. */
    CALL(Master_begin, MASTER); CALL(Critical_enter, CRITICAL); CALL(Critical_begin, CRITICAL); CALL(Critical_exit, CRITICAL); CALL(Master_end, MASTER);
    /* Left without an end: by a jump to what is around it, to another of the same kind, and to nothing. */
    CALL(Master_begin, OUTER); CALL(Critical_enter, CRITICAL); CALL(Master_begin, MASTER); CALL(Master_end, OUTER);
    CALL(For_enter, FOR); CALL(Master_begin, MASTER); CALL(Barrier_enter, FOR); CALL(Barrier_exit, FOR);
    CALL(Master_begin, OUTER); CALL(Master_begin, MASTER); CALL(Master_end, OUTER); CALL(Master_end, MASTER);
    /* Ends without their begin. */
    CALL(Critical_exit, CRITICAL); CALL(Barrier_exit, BARRIER); CALL(Single_only_end, SINGLE);
}

int main(void)
{
    (void)signal(SIGUSR1, no_callback);
    no_callback(0); /* the tool's start */
    for (within = NOTHING; within <= HANDLER; within++) {
        void *handle = POMP_Parallel_fork(&d[0], 1, 1);
        POMP_Parallel_begin(&d[0], handle);
        puts("--");
        all();
        POMP_Parallel_end(&d[0], handle);
        POMP_Parallel_join(&d[0], handle);
    }
    return 0;
}
