/* A producer and a consumer, by flush and an atomic flag. */
#include <stdio.h>
int data, flag;
int main(void)
{
    int got = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            data = 42;
#pragma omp flush
#pragma omp atomic write
            flag = 1;
#pragma omp flush
        }
#pragma omp section
        {
            int seen = 0;
            while (!seen) {
#pragma omp flush
#pragma omp atomic read
                seen = flag;
            }
#pragma omp flush
            got = data;
        }
    }
    printf("%d\n", got);
    return 0;
}
