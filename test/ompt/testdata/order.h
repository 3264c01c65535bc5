/* order.h: a tool in the program that prints the dependences of each task by the places of their variables in cells. */
#include <omp-tools.h>
#include <stdio.h>

#ifdef TOOL_ALONE /* beside a program in Fortran, which has them */
extern
#endif
char cells[96];

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
    static const char kind[] = "?io+m??s";
    (void)task;
    for (int i = 0; i < n; i++)
        printf("%s%c%d", i > 0 ? " " : "", kind[list[i].dependence_type], (int)((char *)list[i].variable.ptr - cells));
    printf("\n");
    fflush(stdout);
}

/* Target tasks are reported where tasks are observed. */
static void on_create(ompt_data_t *by, const ompt_frame_t *frame, ompt_data_t *task, int flags, int depends, const void *ra)
{
    (void)by, (void)frame, (void)task, (void)flags, (void)depends, (void)ra;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
    set(ompt_callback_task_create, (ompt_callback_t)on_create);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

#ifdef __cplusplus
extern "C"
#endif
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &tool;
}
