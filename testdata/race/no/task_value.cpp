// A task has the loop's variable by value.
#include <cstdio>
int main()
{
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(sum)
        {
#pragma omp atomic
            sum += i;
        }
    }
    std::printf("%d\n", sum);
}
