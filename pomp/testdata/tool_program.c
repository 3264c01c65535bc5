/* tool_program.c: a program for a tool, instrumented by hand. Arguments: fork: a child has a region, too; exec: a child becomes another program;
 * control: asks the tool; ompt_control: the same in the words of 2013; nothing: no event at all; for, sections, taskgroup, taskloop: with a task
 * reduction, outside of any region; target: a target task there; within: all that in a region.
 */
#define _GNU_SOURCE 1
#include "pomp_lib.h"

#include "omp_control.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void ompt_control_(const uint64_t *command, const uint64_t *modifier); /* as Fortran calls it */
extern int omp_control_tool_(const int *command, const int *modifier, void *arg);

static struct ompregdescr pomp_d[] = {
    {.name = "parallel", .sub_name = "", .directive = "parallel", .file_name = __FILE__, .begin_first_line = 1, .kind = POMP_KIND_PARALLEL},
    {.name = "for", .sub_name = "", .directive = "for", .file_name = __FILE__, .begin_first_line = 2, .kind = POMP_KIND_FOR, .facts = POMP_HAS_REDUCTION},
    {.name = "sections", .sub_name = "", .directive = "sections", .file_name = __FILE__, .begin_first_line = 3, .kind = POMP_KIND_SECTIONS, .facts = POMP_HAS_REDUCTION},
    {.name = "taskgroup", .sub_name = "", .directive = "taskgroup", .file_name = __FILE__, .begin_first_line = 4, .kind = POMP_KIND_TASKGROUP, .facts = POMP_HAS_IN_REDUCTION},
    {.name = "taskloop", .sub_name = "", .directive = "taskloop", .file_name = __FILE__, .begin_first_line = 5, .kind = POMP_KIND_TASKLOOP, .facts = POMP_HAS_REDUCTION},
    {.name = "target", .sub_name = "", .directive = "target", .file_name = __FILE__, .begin_first_line = 6, .kind = POMP_KIND_TARGET, .facts = POMP_HAS_NOWAIT},
};
static struct pomp_unit pomp_unit = {1, 6, pomp_d, 0, 0};
__attribute__((constructor, destructor)) static void hook(void) { pomp_unit_1(&pomp_unit); }

static int region(int threads)
{
    int n = 0;
    void *h = pomp_unit.active ? POMP_Parallel_fork(&pomp_d[0], 1, threads) : NULL;
#pragma omp parallel num_threads(threads) firstprivate(h)
    {
        if (h)
            POMP_Parallel_begin(&pomp_d[0], h);
#pragma omp atomic
        n++;
        if (h)
            POMP_Parallel_end(&pomp_d[0], h);
    }
    if (h)
        POMP_Parallel_join(&pomp_d[0], h);
    return n;
}

static int sum;

/* What follows, as the text of opari reports it. */
#define REPORTED(name, n)                                                                                                          \
    for (int on = pomp_unit.active ? (POMP_##name##_enter(&pomp_d[n]), 1) : 2; on != 0; on = on == 1 ? (POMP_##name##_exit(&pomp_d[n]), 0) : 0)

/* Two are added to the sum. */
static int waits(const char *what)
{
    if (strcmp(what, "for") == 0) {
        REPORTED(For, 1) {
#pragma omp for reduction(task, + : sum)
            for (int i = 0; i < 2; i++)
                sum++;
        }
    } else if (strcmp(what, "sections") == 0) {
        REPORTED(Sections, 2) {
#pragma omp sections reduction(task, + : sum)
            {
                sum++;
#pragma omp section
                sum++;
            }
        }
    } else if (strcmp(what, "taskgroup") == 0) {
        REPORTED(Taskgroup, 3) {
#pragma omp taskgroup task_reduction(+ : sum)
            for (int i = 0; i < 2; i++) {
#pragma omp task in_reduction(+ : sum)
                sum++;
            }
        }
    } else if (strcmp(what, "taskloop") == 0) {
        REPORTED(Taskloop, 4) {
#pragma omp taskloop reduction(+ : sum)
            for (int i = 0; i < 2; i++)
                sum++;
        }
    } else if (strcmp(what, "target") == 0) {
        REPORTED(Target, 5) {
#pragma omp target nowait map(tofrom : sum)
            sum += 2;
        }
#pragma omp taskwait
    } else {
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "nothing") == 0)
        return 0;
    if (strcmp(what, "active") == 0)
        return region(2) == 2 ? 10 + pomp_unit.active : 1;
    if (strcmp(what, "control") == 0) {
        int before = omp_control_tool(omp_control_tool_flush, 1, NULL), n = region(2);
        const int command = omp_control_tool_pause, modifier = 2;
        printf("%d %d\n", before, omp_control_tool_(&command, &modifier, &n));
        return 0;
    }
    if (strcmp(what, "ompt_control") == 0) {
        const uint64_t command = 3, modifier = 4;
        ompt_control(1, 1);
        int n = region(1);
        ompt_control(1, 2);
        ompt_control_(&command, &modifier);
        return n != 1;
    }
    if (strcmp(what, "fork") == 0 || strcmp(what, "exec") == 0) {
        if (region(1) != 1)
            return 1;
        pid_t child = fork();
        if (child == 0) {
            if (strcmp(what, "exec") == 0)
                execl("/bin/true", "true", (char *)NULL);
            exit(region(1) == 1 ? 0 : 1);
        }
        int status = 1;
        return waitpid(child, &status, 0) == child ? status : 1;
    }
    if (strcmp(what, "within") == 0) {
#pragma omp parallel num_threads(2)
        {
            (void)waits("for");
            (void)waits("sections");
#pragma omp single
            (void)(waits("taskgroup") && waits("taskloop") && waits("target"));
        }
        return region(3) != 3 || sum != 10;
    }
    const int threads = region(3);
    if (waits(what) && sum != 2)
        return 1;
    return threads == 3 ? 0 : 1;
}
