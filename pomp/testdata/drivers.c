/* Teams of plain threads, for ThreadSanitizer, which knows nothing of the runtime's own synchronisation: fork, begin, end and join are called as
 * by a runtime, the barriers are pthread's, and some tasks run on other threads than their maker. The region's last barrier is implicit. */
#include "unit.h"

#include <pthread.h>

enum { PAR = 1, FOR, TASK, CRIT, TEAM = 4, ROUNDS = 200 };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION(FOR, FOR, "for"), REGION(TASK, TASK, "task"), REGION(CRIT, CRITICAL, "critical"))

static pthread_barrier_t start_line, end_line;
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;
static void *team, *task[TEAM];
static _Thread_local int me;

/* What the library asks the runtime. */
int omp_get_thread_num(void) { return me; }
int omp_get_num_threads(void) { return TEAM; }
int omp_get_max_threads(void) { return TEAM; }

static void part(void)
{
    WITH(Parallel_begin, PAR, team);
    EVENT(For_enter, FOR);
    EVENT(For_exit, FOR);
    EVENT(Critical_enter, CRIT);
    pthread_mutex_lock(&critical);
    EVENT(Critical_begin, CRIT);
    EVENT(Critical_end, CRIT);
    pthread_mutex_unlock(&critical);
    EVENT(Critical_exit, CRIT);
    CREATE(h, TASK, 1);
    task[me] = h;
    WITH(Task_create_end, TASK, h);
    pthread_barrier_wait(&start_line);
    WITH(Parallel_end, PAR, team);
    h = task[(me + 1) % TEAM]; /* executed in the last barrier, by another thread */
    WITH(Task_begin, TASK, h);
    WITH(Task_end, TASK, h);
    pthread_barrier_wait(&end_line);
}

static void *member(void *number)
{
    me = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&start_line);
        part();
    }
    return NULL;
}

int main(void)
{
    pthread_t t[TEAM];
    pthread_barrier_init(&start_line, NULL, TEAM);
    pthread_barrier_init(&end_line, NULL, TEAM);
    for (long i = 1; i < TEAM; i++)
        pthread_create(&t[i], NULL, member, (void *)i);
    for (int i = 0; i < ROUNDS; i++) {
        team = ON ? POMP_Parallel_fork(D(PAR), 1, TEAM) : 0;
        pthread_barrier_wait(&start_line);
        part();
        WITH(Parallel_join, PAR, team);
    }
    if (POMP_Finalize) /* writes while the others may still run */
        POMP_Finalize();
    for (int i = 1; i < TEAM; i++)
        pthread_join(t[i], NULL);
    return 0;
}
