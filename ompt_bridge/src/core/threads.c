/* threads.c: the records of threads: the list of all, and the free ones. */
#include "entries.h"

#include <pthread.h>
#include <string.h>
#include <sys/types.h>

static struct {
    pthread_mutex_t lock;
    pthread_key_t key; /* its destructor runs when a thread ends */
    int has_key;
    pid_t pid;
    struct opari_thread *all, *free;
    int workers, roots; /* threads that have begun and not ended: those that the runtime made, and
                           the others */
    int (*start)(void); /* starts the tools that wait for the first event; null: none waits */
    struct opari_thread *parked; /* in a forked child: the record of its only thread */
} opari_threads = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, NULL, NULL, 0, 0, NULL, NULL};

/* Initializes a record but keeps its free lists. */
static void opari_thread_reset(struct opari_thread *t)
{
    t->state = ompt_state_work_serial;
    if (t->stack == NULL) {
        t->stack = t->first;
        t->limit = t->first + OPARI_STACK - 1;
    }
    t->top = t->stack;
    memset(t->stack, 0, sizeof *t->stack);
    t->wait_id = 0;
    t->target = NULL;
    t->ahead = NULL;
    t->nest_locks = 0;
    t->nest_only = 0;
    t->regions.event = NULL;
    t->regions.forced = 0;
    memset(t->data, 0, sizeof t->data);
    unsigned lives = t->base_task.lives + 1;
    memset(&t->base_task, 0, sizeof t->base_task);
    t->base_task.lives = lives;
    memset(&t->base_parallel, 0, sizeof t->base_parallel);
    t->base_parallel.size = 1;
    t->base_parallel.works = ompt_state_work_serial;
    t->base_task.parallel = &t->base_parallel;
    t->base_task.flags = ompt_task_initial;
    opari_frame_init(&t->base_task.frame);
    t->base_task.owner = t;
    t->task = &t->base_task;
}

/* Returns the list of all records. New ones are added in front, and none is ever removed. */
static struct opari_thread *opari_thread_all(void) { return OPARI_ACQUIRE(&opari_threads.all); }

/* Returns a free or new record; null without memory. */
static struct opari_thread *opari_thread_get(void)
{
    opari_lock(&opari_threads.lock);
    struct opari_thread *t = opari_threads.free;
    if (t != NULL)
        opari_threads.free = t->next_free;
    opari_unlock(&opari_threads.lock);
    if (t != NULL)
        return t;
    t = opari_memory(sizeof *t);
    if (t == NULL)
        return NULL;
    opari_lock(&opari_threads.lock);
    t->next = opari_threads.all;
    OPARI_RELEASE(&opari_threads.all, t);
    opari_unlock(&opari_threads.lock);
    return t;
}
