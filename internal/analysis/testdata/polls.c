/* One section works, and another one waits for it in a loop of its own. */
#include <stdio.h>

static volatile double sink;

int main(void)
{
    int flag = 0;
    for (int round = 1; round <= 5; round++) {
#pragma omp parallel sections num_threads(2)
        {
#pragma omp section
            {
                for (int i = 0; i < 5000000; i++)
                    sink = sink + i;
#pragma omp atomic write
                flag = round;
            }
#pragma omp section
            {
                int seen = 0;
                while (seen != round) {
#pragma omp atomic read
                    seen = flag;
                }
            }
        }
    }
    printf("%d\n", flag);
    return 0;
}
