void g(int);
void f(void)
{
#pragma omp parallel
	g(1);
#pragma omp barrier
}
