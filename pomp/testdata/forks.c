/* fork() between and within regions. The child of the first has a region of its own, the second writes nothing since it meets none, the third
 * is forked while a region is open on its thread. Children wait 30 ms first, which is nobody's time. */
#include "unit.h"

#include <sys/wait.h>
#include <unistd.h>

enum { BEFORE = 1, CHILD, OPEN, PAR };

UNIT(REGION(BEFORE, REGION, "region"), REGION(CHILD, REGION, "region"), REGION(OPEN, REGION, "region"), REGION(PAR, PARALLEL, "parallel"))

static int child(int which)
{
    if (which == 0) {
        USER(Begin, CHILD);
        USER(End, CHILD);
    }
    if (which == 2) {
        ms(20);
        USER(End, OPEN);
    }
    return 0;
}

int main(void)
{
    int status, failed = 0;
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
    USER(Begin, BEFORE);
    USER(End, BEFORE);
    for (int i = 0; i < 3; i++) {
        if (i == 2) {
            USER(Begin, OPEN);
            ms(50);
        }
        pid_t pid = fork();
        if (pid == 0)
            exit(child(i));
        failed |= pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
    }
    USER(End, OPEN);
    return failed;
}
