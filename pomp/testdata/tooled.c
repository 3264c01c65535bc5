/* tooled.c: a program for a tool, instrumented by hand. Arguments: fork: a child has a region, too; exec: a child becomes another program;
 * control: asks the tool; ompt_control: the same in the words of 2013; nothing: no event at all; for, sections: with a task reduction, outside of
 * any region; within: the same in a region.
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

static struct ompregdescr pomp_d[] = {
    {.name = "parallel", .sub_name = "", .directive = "parallel", .file_name = __FILE__, .begin_first_line = 1, .kind = POMP_KIND_PARALLEL},
};
static struct pomp_unit pomp_unit = {1, 1, pomp_d, 0, 0};
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

static void reduce(int sections)
{
    if (sections) {
#pragma omp sections reduction(task, + : sum)
        {
            sum++;
#pragma omp section
            sum++;
        }
    } else {
#pragma omp for reduction(task, + : sum)
        for (int i = 0; i < 2; i++)
            sum++;
    }
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
        printf("%d %d\n", before, omp_control_tool(omp_control_tool_pause, 2, &n));
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
    if (strcmp(what, "for") == 0 || strcmp(what, "sections") == 0)
        return region(3) != 3 || (reduce(what[0] == 's'), sum != 2);
    if (strcmp(what, "within") == 0) {
#pragma omp parallel num_threads(2)
        {
            reduce(0);
            reduce(1);
        }
        return region(3) != 3 || sum != 4;
    }
    return region(3) == 3 ? 0 : 1;
}
