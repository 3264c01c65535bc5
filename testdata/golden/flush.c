int x;
void f(void)
{
#pragma omp flush
#pragma omp flush(x)
#pragma omp flush acq_rel
}
