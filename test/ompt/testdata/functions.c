/* functions.c: a tool of 2013 in the program asks for the functions that the compiler made of regions and tasks. Prints what is wrong. */
#include "ompt_2013.h"

#include <stdio.h>

extern int ompt_initialize(void);
int ompt_initialize(void) { return 1; }

static void check(const char *what, int holds)
{
    if (!holds)
        printf("%s\n", what);
}

int main(void)
{
    int loop = 0;
    void *inner = NULL;
    check("a region's function outside of all", ompt_get_parallel_function(0) == NULL && ompt_get_task_function(0) == NULL);
#pragma omp parallel num_threads(2)
    {
        void *outer = ompt_get_parallel_function(0);
        check("no function of the region", outer != NULL && ompt_get_parallel_function(1) == NULL);
        check("the implicit task's", ompt_get_task_function(0) == outer && ompt_get_task_function(1) == NULL);
#pragma omp single
        {
#pragma omp task shared(inner)
            {
                inner = ompt_get_task_function(0);
                check("no function of the task", inner != NULL && inner != outer);
                check("the task's surroundings", ompt_get_task_function(1) == outer && ompt_get_parallel_function(0) == outer);
            }
#pragma omp taskwait
#pragma omp taskloop num_tasks(2) reduction(+ : loop)
            for (int i = 0; i < 2; i++)
                loop += ompt_get_task_function(0) != NULL && ompt_get_task_function(0) != outer && ompt_get_task_function(0) != inner;
        }
    }
    check("the taskloop's tasks", loop == 2);
    return 0;
}
