/* targets.c: target regions on the initial device, instrumented by hand. What it does says its first argument, how often the second. */
#include "unit.h"

#include <omp.h>

enum { TARGET = 1, DATA, ENTER, EXIT, UPDATE };
UNIT(REGION(TARGET, TARGET, "target"), REGION(DATA, TARGET_DATA, "target data"), REGION(ENTER, TARGET_ENTER_DATA, "target enter data"),
     REGION(EXIT, TARGET_EXIT_DATA, "target exit data"), REGION(UPDATE, TARGET_UPDATE, "target update"))

static int a[100], b[64];
static struct pair {
    int first[10], second[10];
} s;

static void regions_of(long n)
{
    for (long i = 0; i < n; i++) {
        EVENT(Target_enter, TARGET);
#pragma omp target map(tofrom : a)
        a[0]++;
        EVENT(Target_exit, TARGET);
    }
    if (a[0] != (int)n)
        exit(4);
}

/* The first event, which starts a tool, comes from the initial thread: those of threads that the runtime has made meanwhile are not reported. */
static void threads_of(long n)
{
    regions_of(1);
#pragma omp parallel num_threads(3)
    for (long i = 0; i < n; i++) {
        int mine = 0;
        EVENT(Target_enter, TARGET);
#pragma omp target map(tofrom : mine)
        mine++;
        EVENT(Target_exit, TARGET);
        if (mine != 1)
            exit(4);
    }
}

static void data_of(int x)
{
    EVENT(Target_data_enter, DATA);
#pragma omp target data map(to : a) map(from : b[8 : 16]) map(alloc : x)
    {
        EVENT(Target_enter, TARGET);
#pragma omp target teams num_teams(3) map(a, b[8 : 16], x)
        a[1] = x - 2;
        EVENT(Target_exit, TARGET);
        EVENT(Target_update_enter, UPDATE);
#pragma omp target update to(a[2 : 5])
        EVENT(Target_update_exit, UPDATE);
        EVENT(Target_enter, TARGET);
#pragma omp target map(always, to : a)
        a[1] = 4;
        EVENT(Target_exit, TARGET);
    }
    EVENT(Target_data_exit, DATA);
    EVENT(Target_enter_data_enter, ENTER);
#pragma omp target enter data map(to : a) map(alloc : b)
    EVENT(Target_enter_data_exit, ENTER);
    EVENT(Target_exit_data_enter, EXIT);
#pragma omp target exit data map(from : a) map(delete : b)
    EVENT(Target_exit_data_exit, EXIT);
}

/* Two rows of three from the middle of a field of four by five to that of a field of three by four. */
static int rectangle(int host)
{
    static int from[4][5], to[3][4];
    const size_t volume[] = {2, 3}, to_offsets[] = {1, 1}, from_offsets[] = {1, 2}, to_sizes[] = {3, 4}, from_sizes[] = {4, 5};
    for (int i = 0; i < 20; i++)
        from[i / 5][i % 5] = i;
    if (omp_target_memcpy_rect(NULL, NULL, 4, 2, volume, to_offsets, from_offsets, to_sizes, from_sizes, host, host) < 3)
        return 1;
    if (omp_target_memcpy_rect(to, from, 4, 2, volume, to_offsets, from_offsets, to_sizes, from_sizes, host, host) != 0)
        return 1;
    return to[1][1] != 7 || to[2][3] != 14 || to[0][1] != 0;
}

/* What moves data with nowait is a target task; the tasks before and behind it follow each other. */
static void moved_later(void)
{
    int x = 1, seen = 0;
    EVENT(Target_enter, TARGET);
#pragma omp target nowait map(tofrom : x) depend(out : x)
    x++;
    EVENT(Target_exit, TARGET);
    EVENT(Target_enter_data_enter, ENTER);
#pragma omp target enter data map(to : b) nowait depend(inout : x)
    EVENT(Target_enter_data_exit, ENTER);
    EVENT(Target_update_enter, UPDATE);
#pragma omp target update from(b[0 : 2]) nowait depend(inout : x)
    EVENT(Target_update_exit, UPDATE);
    EVENT(Target_exit_data_enter, EXIT);
#pragma omp target exit data map(from : b) nowait depend(inout : x)
    EVENT(Target_exit_data_exit, EXIT);
    EVENT(Target_enter, TARGET);
#pragma omp target nowait map(tofrom : seen) map(to : x) depend(in : x)
    seen = x;
    EVENT(Target_exit, TARGET);
    EVENT(Target_update_enter, UPDATE);
#pragma omp target update to(a) nowait
    EVENT(Target_update_exit, UPDATE);
#pragma omp taskwait
    if (seen != 2)
        exit(4);
}

static void each(void)
{
    int x = 5, there[4] = {0}, host = omp_get_initial_device();
    data_of(x);
    EVENT(Target_enter, TARGET);
#pragma omp target if (0) map(to : s.second[2 : 3])
    s.second[2] = 1;
    EVENT(Target_exit, TARGET);
    EVENT(Target_enter, TARGET);
#pragma omp target nowait map(tofrom : x) depend(out : x)
    x++;
    EVENT(Target_exit, TARGET);
#pragma omp taskwait
    EVENT(Target_enter, TARGET);
#pragma omp target teams distribute parallel for map(tofrom : b) device(host)
    for (int i = 0; i < 64; i++)
        b[i] = i;
    EVENT(Target_exit, TARGET);
    int *memory = omp_target_alloc(16, host);
    int failed = omp_target_memcpy(memory, a, 16, 0, 0, host, host);
    failed += omp_target_memcpy(there, memory, 12, 4, 0, host, host);
    omp_target_free(memory, host);
    failed += rectangle(host);
    if (failed != 0 || there[2] != 4 || x != 6 || b[63] != 63)
        exit(4);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "each";
    const long n = count > 2 ? atol(arguments[2]) : 1;
    if (strcmp(what, "regions") == 0)
        regions_of(n);
    else if (strcmp(what, "threads") == 0)
        threads_of(n);
    else if (strcmp(what, "later") == 0)
        moved_later();
    else
        each();
    return 0;
}
