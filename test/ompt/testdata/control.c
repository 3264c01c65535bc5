/* control.c: what omp_control_tool passes to a tool and what it returns, and ompt_finalize_tool: with an argument the tool ends itself, in a callback and again
 * outside of one. The program is its own tool, so it runs under any runtime.
 */
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ompt_finalize_tool_t finalize_tool;
static int answer, ends_tool, finalized, late;

static int on_control(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
    printf("  %lld %lld %s%s\n", (long long)command, (long long)modifier, arg != NULL ? "argument" : "null", ra != NULL ? "" : ", no place");
    if (ends_tool)
        finalize_tool();
    return answer;
}

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned n, int flags, const void *ra)
{
    (void)task, (void)frame, (void)parallel, (void)n, (void)flags, (void)ra;
    late += finalized;
}

static int start(ompt_function_lookup_t look_up, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    const char *how = getenv("CONTROL");
    (void)device, (void)data;
    finalize_tool = (ompt_finalize_tool_t)look_up("ompt_finalize_tool");
    if (how == NULL || strcmp(how, "deaf") != 0)
        set(ompt_callback_control_tool, (ompt_callback_t)on_control);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel);
    return 1;
}

static void finish(ompt_data_t *data)
{
    (void)data;
    finalized++;
    puts("finalized");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {start, finish, {0}};
    const char *how = getenv("CONTROL");
    (void)version, (void)runtime;
    return how != NULL && strcmp(how, "none") == 0 ? NULL : &tool;
}

static void control(int answers, int command, int modifier, void *arg)
{
    answer = answers;
    printf("%d\n", omp_control_tool(command, modifier, arg));
}

static void *elsewhere(void *arg)
{
    control(6, 5, 6, arg);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    (void)argv;
    #pragma omp parallel num_threads(2)
    {
        #pragma omp barrier
    }
    control(0, omp_control_tool_start, 0, NULL);
    control(1, omp_control_tool_pause, -1, &thread);
    control(0, omp_control_tool_flush, 1 << 30, NULL);
    control(-5, -1, 3, &thread);
    control(64, 64, 65, NULL);
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        {
            control(2, 2, 1, NULL);
            #pragma omp task if (0)
            control(3, 2, 1, NULL);
        }
    }
    pthread_create(&thread, NULL, elsewhere, &answer);
    pthread_join(thread, NULL);
    if (argc > 1) {
        ends_tool = 1;
        control(7, omp_control_tool_end, 0, NULL);
        control(0, omp_control_tool_start, 0, NULL);
        finalize_tool();
        #pragma omp parallel num_threads(2)
        {
            #pragma omp barrier
        }
        printf("finalized %d times, %d events behind that\n", finalized, late);
    }
    puts("end");
    return 0;
}
