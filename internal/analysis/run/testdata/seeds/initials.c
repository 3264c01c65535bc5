/* Two initial threads fork the same region at the same time, each with a thread that works for longer: whose team a worker is in decides whom it
 * waits for. */
#include "seed.h"

#include <pthread.h>

static pthread_barrier_t together;
static int64_t lost[2];
static int line;

static void *run(void *number)
{
    const int me = (int)(intptr_t)number;
    for (int step = 0; step < 8; step++) {
        int64_t arrival[2] = {0, 0};
        pthread_barrier_wait(&together);
        line = __LINE__ + 1;
#pragma omp parallel num_threads(2)
        {
            const int thread = omp_get_thread_num();
            work((thread == me ? 50 : 10 + 10 * me) * MS);
            arrival[thread] = now();
        }
        lost[me] += arrival[0] > arrival[1] ? arrival[0] - arrival[1] : arrival[1] - arrival[0];
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&other, NULL, run, (void *)(intptr_t)1);
    run((void *)(intptr_t)0);
    pthread_join(other, NULL);
    truth("imbalance-parallel", line, lost[0] + lost[1]);
}
