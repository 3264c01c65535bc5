/* The flag is plain, and nothing flushes. */
#include <stdio.h>
int data;
volatile int flag;
int main(void)
{
    int got = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            data = 42;
            flag = 1;
        }
        for (int i = 0; i < 1000 && !flag; i++) {
        }
#pragma omp critical
        got += flag;
    }
    printf("%d\n", got >= 0);
    return 0;
}
