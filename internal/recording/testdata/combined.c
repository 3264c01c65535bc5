/* Combined constructs, and one that is not. In the first loop the second thread waits 50 ms. */
#include <omp.h>
#include <time.h>

static void ms(long n)
{
    struct timespec t = {n / 1000, n % 1000 * 1000000};
    nanosleep(&t, 0);
}

int main(void)
{
    int sum = 0;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 2; i++)
        ms(i == 0 ? 50 : 0);
    for (int round = 0; round < 20; round++) {
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
        for (int i = 0; i < 10; i++)
            sum += i;
#pragma omp parallel sections
        {
#pragma omp section
            ms(0);
#pragma omp section
            {
#pragma omp task
                ms(1);
            }
        }
#pragma omp parallel
        {
#pragma omp for nowait
            for (int i = 0; i < 2; i++)
                ms(0);
        }
    }
    return sum != 20 * 45;
}
