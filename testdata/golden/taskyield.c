void f(void)
{
#pragma omp taskyield
}
