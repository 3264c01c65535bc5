/* pauses.c: the first thread comes 20 ms late to the end of each region; between two regions are 200 ms. */
#include <omp.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0)
                usleep(20000);
        }
        usleep(200000);
    }
    return 0;
}
