#include <omp.h>
int main()
{
    int s = 0;
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
    {
#pragma omp critical(x)
        { s++; }
    }
#pragma omp parallel sections
    {
#pragma omp section
        { s++; }
#pragma omp section
        { s++; }
    }
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp master
        { s++; }
#pragma omp flush
#pragma omp single
        { s++; }
#pragma omp sections
        {
#pragma omp section
            { s++; }
        }
#pragma omp atomic
        s++;
    }
#pragma pomp inst init
#pragma pomp inst begin(foo)
    s++;
#pragma pomp inst end(foo)
    omp_set_lock(&l);
    omp_unset_lock(&l);
    omp_destroy_lock(&l);
    return s != 9;
}
