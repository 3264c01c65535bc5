/* minimum.c: 100000 regions of nearly no time and 3 of 20 ms, in two outer ones: the second has nothing long inside and takes long itself. */
#include <unistd.h>
int main(void)
{
    volatile long n = 0;
#pragma pomp inst begin(outer)
    for (int i = 0; i < 100000; i++) {
#pragma pomp inst begin(short)
        n++;
#pragma pomp inst end(short)
        if (i % 40000 == 1) {
#pragma pomp inst begin(long)
            usleep(20000);
#pragma pomp inst end(long)
        }
    }
#pragma pomp inst end(outer)
#pragma pomp inst begin(outer)
    for (int i = 0; i < 50; i++) {
#pragma omp critical
        n++;
    }
    usleep(20000);
#pragma pomp inst end(outer)
    return 0;
}
