/* A producer and a consumer, by a release and an acquire. */
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
#pragma omp atomic write seq_cst
            flag = 1;
        }
#pragma omp section
        {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read seq_cst
                seen = flag;
            }
            got = data;
        }
    }
    printf("%d\n", got);
    return 0;
}
