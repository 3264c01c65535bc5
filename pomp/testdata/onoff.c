/* Off and on: in the middle of regions, of a team, and in a loop that would pile up regions left open (exit code 3 if memory grows). */
#include "unit.h"

#include <omp.h>
#include <sys/resource.h>

enum { A = 1, B, PAR, FOR, LOOP, OFFED };

UNIT(REGION(A, REGION, "region"), REGION(B, REGION, "region"), REGION(PAR, PARALLEL, "parallel"), REGION(FOR, FOR, "for"),
     REGION(LOOP, REGION, "region"), REGION(OFFED, REGION, "region"))

static void off(void)
{
    if (POMP_Off)
        POMP_Off();
}

static void on(void)
{
    if (POMP_On)
        POMP_On();
}

static long resident(void)
{
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_maxrss : 0;
}

int main(void)
{
    USER(Begin, A); /* ends at off */
    ms(20);
    off();
    USER(Begin, OFFED);
    ms(50);
    USER(End, OFFED);
    USER(End, A);
    USER(Begin, B); /* begins while off: its end is no one's */
    on();
    USER(End, B);
    FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
    {
        WITH(Parallel_begin, PAR, h);
        EVENT(For_enter, FOR); /* left open on both threads */
#pragma omp barrier
#pragma omp master
        off();
#pragma omp barrier
        EVENT(For_exit, FOR);
        WITH(Parallel_end, PAR, h);
    }
    WITH(Parallel_join, PAR, h);
    on();
    long before = resident();
    for (int i = 0; i < 200000; i++) {
        USER(Begin, LOOP);
        off();
        USER(End, LOOP);
        on();
    }
    if (POMP_Finalize)
        POMP_Finalize();
    USER(Begin, OFFED);
    USER(End, OFFED);
    return resident() - before > 4096 ? 3 : 0;
}
