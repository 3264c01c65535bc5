// Tasks refer to a variable that their parent goes on to change.
#include <cstdio>
int main()
{
    int current = 0, sum = 0;
    int &now = current;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
        now = i;
#pragma omp task shared(now, sum)
        {
#pragma omp atomic
            sum += now;
        }
    }
    std::printf("%d\n", sum >= 0);
}
