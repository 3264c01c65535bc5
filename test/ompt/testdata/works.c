/* works.c: three regions of four threads, with a loop and a critical section on each. Its argument, if any, is what OMP_TOOL is to be. */
#include <stdlib.h>
#include <string.h>

int main(int arguments, char **argument)
{
    int sum = 0;
    const char *tool = getenv("OMP_TOOL");
    for (int again = 0; again < 3; again++) {
        #pragma omp parallel num_threads(4)
        {
            #pragma omp for nowait
            for (int i = 0; i < 8; i++)
                ;
            #pragma omp critical
            sum++;
        }
    }
    return sum != 12 || strcmp(tool != NULL ? tool : "", arguments > 1 ? argument[1] : "") != 0;
}
