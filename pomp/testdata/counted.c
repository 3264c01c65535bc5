/* counted.c: each kind of loop entered with the number of its iterations, by one call and by the two that units of before made. The tool is the
 * program's own and prints the work events: type and count. A count belongs to the loop that it is reported with, once.
 */
#include "pomp_lib.h"
#include "../../ompt_bridge/src/omp_tools.h"

#include <stdio.h>
#include <string.h>

#define REGION(text, KIND) {text, "", 0, __FILE__, 1, 1, 1, 1, {0, 0, 0, 0}, 0, text, POMP_KIND_##KIND, 0, 0, 0, 0}
static struct ompregdescr d[] = {REGION("for", FOR), REGION("distribute", DISTRIBUTE), REGION("taskloop", TASKLOOP), REGION("loop", LOOP),
                                 REGION("flush", FLUSH), REGION("critical", CRITICAL)};
static struct pomp_unit unit = {1, sizeof d / sizeof d[0], d, 0, 0};
__attribute__((constructor, destructor)) static void hook(void) { pomp_unit_1(&unit); }

static void on_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count, const void *ra)
{
    (void)parallel, (void)task;
    if (at == ompt_scope_begin)
        printf("%d: %lu%s\n", (int)type, (unsigned long)count, ra == NULL ? " without an address" : "");
}
static void on_flush(ompt_data_t *thread, const void *ra)
{
    (void)thread;
    printf("flush%s\n", ra == NULL ? " without an address" : "");
}
static void on_mutex(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)kind, (void)id, (void)ra;
    printf("mutex\n");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    (void)set(ompt_callback_work, (ompt_callback_t)on_work);
    (void)set(ompt_callback_flush, (ompt_callback_t)on_flush);
    (void)set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex);
    (void)set(ompt_callback_mutex_released, (ompt_callback_t)on_mutex);
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

/* Calls that a library may not want, as the text of a unit makes them; with old, as units did that knew of no such bits. */
static void others(int old)
{
    if (old || (unit.active & (POMP_ACTIVE | POMP_NO_FLUSH_ENTER)) == POMP_ACTIVE)
        POMP_Flush_enter(&d[4]);
    POMP_Flush_exit(&d[4]);
    POMP_Critical_enter(&d[5]);
    POMP_Critical_begin(&d[5]);
    if (old || (unit.active & (POMP_ACTIVE | POMP_NO_BLOCKS)) == POMP_ACTIVE)
        POMP_Critical_end(&d[5]);
    POMP_Critical_exit(&d[5]);
}

int main(void)
{
    static void (*const enters[])(struct ompregdescr *) = {POMP_For_enter, POMP_Distribute_enter, POMP_Taskloop_enter, POMP_Loop_enter};
    static void (*const exits[])(struct ompregdescr *) = {POMP_For_exit, POMP_Distribute_exit, POMP_Taskloop_exit, POMP_Loop_exit};
    for (int i = 0; i < 4; i++) {
        POMP_Counted_enter(&d[i], 10ul + (unsigned)i); /* the first one is the thread's first event at all */
        exits[i](&d[i]);
        POMP_Iterations(&d[i], 20ul + (unsigned)i);
        enters[i](&d[i]);
        exits[i](&d[i]);
        enters[i](&d[i]);
        exits[i](&d[i]);
    }
    for (int i = 0; i < 200; i++) /* until the thread's stack has to grow */
        POMP_Counted_enter(&d[0], 30);
    for (int i = 0; i < 200; i++)
        POMP_For_exit(&d[0]);
    others(0);
    others(1);
    return 0;
}
