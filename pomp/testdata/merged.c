/* merged.c: a merged call has the callbacks of the calls that it replaces: the program prints both, and how many of its tasks had to clear their enter frame
 * themselves. The tool is the program's own. A team of one is reported by calls alone.
 */
#include "pomp_lib.h"
#include "../../ompt_bridge/src/omp_tools.h"

#include <stdio.h>
#include <string.h>

#define REGION(text, KIND, facts) {text, "", 0, __FILE__, 1, 1, 1, 1, {0, 0, 0, 0}, 0, text, POMP_KIND_##KIND, facts, 0, 0, 0}
static struct ompregdescr d[] = {REGION("parallel", PARALLEL, 0), REGION("task", TASK, 0), REGION("task", TASK, POMP_HAS_DEPEND),
                                 REGION("task", TASK, POMP_HAS_UNTIED), REGION("single", SINGLE, POMP_HAS_NOWAIT), REGION("single", SINGLE, 0),
                                 REGION("for", FOR, 0), REGION("critical", CRITICAL, 0)};
static struct pomp_unit unit = {1, sizeof d / sizeof d[0], d, 0, 0};
__attribute__((constructor, destructor)) static void hook(void) { pomp_unit_1(&unit); }

static ompt_get_task_info_t task_info;
static ompt_get_state_t state;
static int entered, merged;

/* Whether the current task is in the runtime, and whether it is where a task begins in the program. */
static const char *frames(void)
{
    ompt_frame_t *frame = NULL;
    (void)task_info(0, NULL, NULL, &frame, NULL, NULL);
    return frame == NULL ? "none" : frame->enter_frame.ptr != NULL ? "entered" : frame->exit_frame.ptr != NULL ? "left" : "neither";
}

static void on_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *made, int flags, int dependences, const void *ra)
{
    (void)maker, (void)frame;
    printf("create %#x %d, %s, %s\n", (unsigned)flags, dependences, made->value == 0 && ra != NULL ? "new" : "old", frames());
    made->value = 7;
}
static void on_schedule(ompt_data_t *prior, ompt_task_status_t how, ompt_data_t *next)
{
    printf("schedule %d: %lu to %lu\n", (int)how, (unsigned long)prior->value, (unsigned long)next->value);
}
static void on_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count, const void *ra)
{
    printf("work %d, %d: %d %lu%s\n", (int)type, (int)at, parallel != NULL && task != NULL, (unsigned long)count, ra != NULL ? "" : " without an address");
}
static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    printf("sync %d, %d: %d, state %#x, %s%s\n", (int)kind, (int)at, parallel != NULL && task != NULL, (unsigned)state(NULL), frames(), ra != NULL ? "" : " without an address");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    state = (ompt_get_state_t)lookup("ompt_get_state");
    (void)set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
    (void)set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync);
    (void)set(ompt_callback_task_create, (ompt_callback_t)on_create);
    (void)set(ompt_callback_task_schedule, (ompt_callback_t)on_schedule);
    (void)set(ompt_callback_work, (ompt_callback_t)on_work);
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

static void body(struct ompregdescr *r, void *task)
{
    POMP_Task_begin(r, task);
    printf("in the task: %s\n", frames());
    POMP_Task_end(r, task);
}

static void task(struct ompregdescr *r, int if_value)
{
    if (merged) {
        const struct pomp_made made = POMP_Task_create(r, if_value);
        body(r, made.task);
        entered += made.entered != NULL;
        if (made.entered != NULL)
            *made.entered = NULL;
        else
            POMP_Task_create_end(r, made.task);
    } else {
        void *made = POMP_Task_create_begin(r, if_value);
        body(r, made);
        POMP_Task_create_end(r, made);
    }
    printf("behind it: %s\n", frames());
}

static void single(int executes)
{
    if (!merged)
        POMP_Single_enter(&d[4]);
    if (executes) {
        (merged ? POMP_Single_only_begin : POMP_Single_begin)(&d[4]);
        task(&d[1], 1);
        (merged ? POMP_Single_only_end : POMP_Single_end)(&d[4]);
    }
    if (!merged)
        POMP_Single_exit(&d[4]);
    else if (!executes)
        POMP_Single_other(&d[4]);
}

/* A construct with a barrier of its own: LEAVES: the block is left with something open in it. */
enum { OTHER, EXECUTES, LEAVES };
static void met(struct ompregdescr *r, int how)
{
    const int single = r->kind == POMP_KIND_SINGLE;
    if (!single)
        POMP_For_enter(r);
    else if (!merged)
        POMP_Single_enter(r);
    if (single && how != OTHER)
        (merged ? POMP_Single_only_begin : POMP_Single_begin)(r);
    if (how == LEAVES)
        POMP_Critical_enter(&d[7]), POMP_Critical_begin(&d[7]);
    if (single && how != OTHER && !merged)
        POMP_Single_end(r);
    POMP_Barrier_enter(r);
    printf("waits: state %#x, %s\n", (unsigned)state(NULL), frames());
    POMP_Barrier_exit(r);
    if (!merged)
        (single ? POMP_Single_exit : POMP_For_exit)(r);
    printf("behind it: state %#x, %s\n", (unsigned)state(NULL), frames());
}

/* Measuring begins in the block, so that only its end is called: the thread is no other one. */
static void late(void)
{
    POMP_Off();
    POMP_On();
    POMP_Single_end(&d[5]);
    POMP_Barrier_enter(&d[5]);
    POMP_Barrier_exit(&d[5]);
    if (!merged)
        POMP_Single_exit(&d[5]);
}

static void team(void)
{
    void *handle = POMP_Parallel_fork(&d[0], 1, 1);
    POMP_Parallel_begin(&d[0], handle);
    for (int i = 0; i < 2; i++) /* the first task of a thread takes memory */
        for (int r = 1; r <= 3; r++)
            task(&d[r], 1);
    task(&d[1], 0);
    single(1);
    single(0);
    for (int how = OTHER; how <= LEAVES; how++) {
        met(&d[5], how);
        met(&d[6], how);
    }
    late();
    if (merged)
        POMP_Single_only_begin(&d[4]); /* left without its end: closed below */
    else
        POMP_Single_enter(&d[4]), POMP_Single_begin(&d[4]);
    POMP_Parallel_end(&d[0], handle);
    POMP_Parallel_join(&d[0], handle);
    POMP_Single_only_end(&d[4]); /* without its begin: not reported */
}

int main(void)
{
    team(); /* memory, and the tool's start */
    for (merged = 0; merged < 2; merged++) {
        puts("--");
        task(&d[1], 1); /* outside of any team: undeferred */
        team();
    }
    printf("--%d %d\n", (unit.active & POMP_MERGES) != 0, entered);
    return 0;
}
