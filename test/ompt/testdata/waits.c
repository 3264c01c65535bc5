/* Waits within constructs that no barrier or group of the program's shows: a target construct for what it depends on, a loop for the tasks that
 * reduce, a taskloop for its own. While a task waits there its thread executes others. */
#include <stdio.h>

static int data, sum, product = 1;

/* A tool is called in the task, and sees what waits below. */
static void seen(void)
{
#pragma omp flush
    data++;
}

/* The other thread of the team executes no task until this one has. */
static void depends(void)
{
    int over = 0, thread = 0;
#pragma omp parallel num_threads(2) shared(over) firstprivate(thread)
    {
#pragma omp single nowait
        {
            thread = 1;
#pragma omp task depend(out : data) shared(data)
            seen();
#pragma omp target depend(inout : data) map(tofrom : data)
            data++;
#pragma omp task depend(out : data) shared(data)
            seen();
#pragma omp target update to(data) depend(inout : data)
#pragma omp atomic write
            over = 1;
        }
        for (int ended = thread; !ended;) {
#pragma omp atomic read
            ended = over;
        }
    }
}

static void reduces(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static) reduction(task, + : sum)
        for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum)
            sum++;
        }
    }
#pragma omp parallel num_threads(1)
#pragma omp taskloop num_tasks(3) reduction(* : product)
    for (int i = 0; i < 3; i++)
        product *= i + 2;
}

int main(void)
{
    depends();
    reduces();
    printf("%d %d %d\n", data, sum, product);
    return 0;
}
