/* leader.c: a process whose first thread has ended; another one waits for the end of the input. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *rest(void *unused)
{
    (void)getchar();
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, rest, NULL) != 0)
        return 1;
    pthread_exit(NULL);
}
