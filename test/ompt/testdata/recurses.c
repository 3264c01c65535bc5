/* recurses.c: a tool that is instrumented itself, and in its callbacks works in parallel. It says how often it did, and how often it was called on a thread
 * that worked for it. */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static int worked, called;
static _Thread_local int own;

static void work(void)
{
    if (own) {
        #pragma omp atomic
        called++;
        return;
    }
    #pragma omp atomic
    worked++;
    int sum = 0;
    own = 1;
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        own++;
        #pragma omp for
        for (int i = 0; i < 6; i++)
            sum += i;
        #pragma omp single nowait
        for (int i = 0; i < 4; i++) {
            #pragma omp task
            {
                own++;
                #pragma omp critical(tool)
                sum++;
                own--;
            }
        }
        #pragma omp parallel num_threads(2)
        {
            own++;
            #pragma omp critical(tool)
            sum++;
            own--;
        }
        own--;
    }
    own = 0;
    #pragma omp parallel for schedule(dynamic) num_threads(2) lastprivate(sum)
    for (int i = 0; i < 4; i++) {
        own++;
        #pragma omp critical(tool)
        sum += i;
        own--;
    }
    #pragma omp parallel sections num_threads(2) lastprivate(sum)
    {
        #pragma omp section
        {
            own++;
            #pragma omp critical(tool)
            sum++;
            own--;
        }
        #pragma omp section
        {
            own++;
            #pragma omp critical(tool)
            sum++;
            own--;
        }
    }
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    (void)type, (void)thread;
    work();
}

static void on_work(ompt_work_t type, ompt_scope_endpoint_t end, ompt_data_t *p, ompt_data_t *t, uint64_t count, const void *ra)
{
    (void)type, (void)end, (void)p, (void)t, (void)count, (void)ra;
    work();
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)kind, (void)id, (void)ra;
    work();
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *p, ompt_data_t *t, const void *ra)
{
    (void)kind, (void)end, (void)p, (void)t, (void)ra;
    if (own)
        work();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_work, (ompt_callback_t)on_work);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    printf("worked %d times, called %d times\n", worked, called);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
