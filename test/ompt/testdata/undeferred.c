/* undeferred.c: that a task is executed at once is reported when it is created, and of no other. With one thread a task that is deferred does not run
 * before the program says so. */
#include <omp-tools.h>
#include <stdio.h>

static int tasks, undeferred, ran, wrong, shapes;

static void on_create(ompt_data_t *by, const ompt_frame_t *frame, ompt_data_t *task, int flags, int depends, const void *ra)
{
    (void)by, (void)frame, (void)task, (void)depends, (void)ra;
    tasks++;
    undeferred += (flags & ompt_task_undeferred) != 0;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    return ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_task_create, (ompt_callback_t)on_create) != ompt_set_error;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &tool;
}

static void made(const char *where, const char *what)
{
    shapes++;
    if (tasks == 0 || undeferred != ran) {
        printf("%s, %s: %d tasks, %d undeferred, %d ran\n", where, what, tasks, undeferred, ran);
        wrong = 1;
    }
    tasks = undeferred = ran = 0;
}

static void shapes_of(const char *where, int no)
{
    static char x;
    #pragma omp task
    ran++;
    made(where, "plain");
    #pragma omp task untied
    ran++;
    made(where, "untied");
    #pragma omp task if (0)
    ran++;
    made(where, "if(0)");
    #pragma omp task if (no)
    ran++;
    made(where, "if");
    #pragma omp task final(!no)
    ran++;
    made(where, "final");
    #pragma omp task depend(out : x)
    ran++;
    made(where, "depend");
    #pragma omp taskwait
    ran = 0;
    #pragma omp task final(1) if (0)
    {
        tasks = undeferred = 0;
        #pragma omp task
        ran++;
        made(where, "included");
    }
    tasks = undeferred = 0;
    #pragma omp taskloop nogroup num_tasks(4)
    for (int i = 0; i < 8; i++)
        ran += i % 2;
    made(where, "taskloop");
    #pragma omp taskloop nogroup num_tasks(4) if (no)
    for (int i = 0; i < 8; i++)
        ran += i % 2;
    made(where, "taskloop if");
    #pragma omp taskloop nogroup grainsize(1)
    for (int i = 0; i < 200; i++)
        ran++;
    made(where, "taskloop of many");
    #pragma omp taskwait
    ran = 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    const int no = argc > 9;
    shapes_of("initial task", no);
    #pragma omp parallel num_threads(1)
    shapes_of("team of one", no);
    #pragma omp parallel if (no)
    shapes_of("serialized", no);
    #pragma omp parallel num_threads(1)
    #pragma omp parallel num_threads(1)
    shapes_of("nested", no);
    #pragma omp teams num_teams(1)
    #pragma omp parallel num_threads(1)
    shapes_of("in teams", no);
    if (!wrong && shapes == 50)
        printf("as expected\n");
    return wrong;
}
