/* shares.c: a tool in the program learns which iterations the teams of a league and their threads get, and the program which they got.
 */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 200 };
static signed char got_team[MOST], got_thread[MOST], seen_team[MOST], seen_thread[MOST];
static unsigned long distributed, looped;
static int first_of_team, regions, faults;

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    (void)parallel, (void)task;
    if (kind == ompt_dispatch_distribute_chunk) {
        first_of_team = (int)chunk->start;
        for (unsigned long n = 0; n < chunk->iterations; n++)
            seen_team[chunk->start + n] = (signed char)omp_get_team_num();
    } else if (kind == ompt_dispatch_ws_loop_chunk) {
        for (unsigned long n = 0; n < chunk->iterations; n++)
            seen_thread[first_of_team + (int)(chunk->start + n)] = (signed char)omp_get_thread_num();
    }
}

static void on_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned long count,
                    const void *ra)
{
    (void)parallel, (void)task, (void)ra;
    if (at != ompt_scope_begin)
        return;
    if (type == ompt_work_distribute)
        distributed = count;
    else if (omp_get_thread_num() == 0)
        looped += count;
}

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested, int flags, const void *ra)
{
    (void)task, (void)frame, (void)parallel, (void)requested, (void)ra;
    regions += (flags & (int)ompt_parallel_team) != 0;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
    set(ompt_callback_work, (ompt_callback_t)on_work);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

static void start(void)
{
    memset(got_team, -1, sizeof got_team), memset(seen_team, -1, sizeof seen_team);
    memset(got_thread, -1, sizeof got_thread), memset(seen_thread, -1, sizeof seen_thread);
    distributed = looped = 0;
    regions = 0;
}

/* Iteration n, counted from 0, is executed. */
static void got(int n)
{
    got_team[n] = (signed char)omp_get_team_num();
    got_thread[n] = (signed char)omp_get_thread_num();
}

/* Of count iterations. teams, threads: whether the tool should have learned which gets which. inner: how many parallel regions there were. */
static void check(const char *what, int count, int teams, int threads, int inner)
{
    int wrong = distributed != (unsigned long)count || regions != inner || looped != (inner > 0 && teams ? (unsigned long)count : 0);
    for (int n = 0; n < count; n++)
        wrong |= seen_team[n] != (teams ? got_team[n] : -1) || seen_thread[n] != (threads ? got_thread[n] : -1);
    if (wrong) {
        faults++;
        printf("%s: %lu distributed, %lu looped, %d regions\n", what, distributed, looped, regions);
        for (int n = 0; n < count; n++)
            printf(" %d:%d.%d,%d.%d", n, got_team[n], got_thread[n], seen_team[n], seen_thread[n]);
        puts("");
    }
}

int main(void)
{
    int n = 10;
    start();
#pragma omp teams distribute num_teams(3)
    for (int i = 0; i < n; i++)
        got(i);
    check("teams distribute", 10, 1, 0, 0), start();
#pragma omp teams distribute simd num_teams(4) collapse(2)
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 3; j++)
            got(3 * i + j);
    check("teams distribute simd", 21, 1, 0, 0), start();
#pragma omp teams num_teams(4)
#pragma omp distribute
    for (int i = 2; i < 4; i++)
        got(i - 2);
    check("more teams than iterations", 2, 1, 0, 0), start();
#pragma omp teams distribute dist_schedule(static, 2) num_teams(2)
    for (int i = 0; i < n; i++)
        got(i);
    check("dist_schedule", 10, 0, 0, 0), start();
#pragma omp teams distribute parallel for num_teams(3) num_threads(2)
    for (int i = 0; i < n; i++)
        got(i);
    check("teams distribute parallel for", 10, 1, 1, 3), start();
#pragma omp teams distribute parallel for simd num_teams(3) num_threads(3) collapse(2)
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++)
            got(5 * i + j);
    check("teams distribute parallel for simd", 35, 1, 1, 3), start();
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) schedule(dynamic, 3)
    for (int i = 0; i < 100; i++)
        got(i);
    check("dynamic", 100, 1, 1, 2), start();
#pragma omp teams distribute parallel for num_teams(3) num_threads(2) schedule(guided)
    for (int i = 200; i > 3; i -= 3)
        got((200 - i) / 3);
    check("guided", 66, 1, 1, 3), start();
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) schedule(runtime)
    for (int i = 0; i < 100; i += 2)
        got(i / 2);
    check("runtime", 50, 1, 1, 2), start();
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) schedule(dynamic, 7)
    for (unsigned long i = 5; i < 105; i++)
        got((int)i - 5);
    check("of unsigned long", 100, 1, 1, 2), start();
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) if(n > 10)
    for (int i = 0; i < n; i++)
        got(i);
    check("if", 10, 1, 1, 2);
    puts(faults ? "FAULTS" : "as expected");
    return faults != 0;
}
