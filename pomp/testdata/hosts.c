/* Four host threads, each opens parallel regions of its own; after them 200 short ones, one after the other. */
#include "unit.h"

#include <omp.h>
#include <pthread.h>

enum { PAR = 1, FOR, USER };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION(FOR, FOR, "for"), REGION(USER, REGION, "region"))

static void *host(void *rounds)
{
    for (long i = 0; i < (long)rounds; i++) {
        FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
        {
            WITH(Parallel_begin, PAR, h);
            EVENT(For_enter, FOR);
#pragma omp for
            for (int k = 0; k < 10; k++)
                ;
            EVENT(For_exit, FOR);
            WITH(Parallel_end, PAR, h);
        }
        WITH(Parallel_join, PAR, h);
    }
    return NULL;
}

static void *visitor(void *none)
{
    USER(Begin, USER);
    USER(End, USER);
    return none;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, host, (void *)50L);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 200; i++) {
        pthread_create(&t[0], NULL, visitor, NULL);
        pthread_join(t[0], NULL);
    }
    return 0;
}
