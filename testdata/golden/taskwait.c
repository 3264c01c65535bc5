void f(void)
{
#pragma omp taskwait
}
