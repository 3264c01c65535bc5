/* Structure that depends on #if: gcc -fopenmp accepts this file with any of WIDE, SPLIT and DEBUG. */
void g(int);

#ifdef __cplusplus
extern "C" {
#endif

#if 0
don't { compile ( this
#pragma omp parallel
#endif

#ifdef WIDE
void f(int n, int *x)
{
	int width = 8;
#else
void f(int n, int *x)
{
	int width = 4;
#endif
#ifdef WIDE
#pragma omp parallel for num_threads(8)
#else
#pragma omp parallel for
#endif
	for (int i = 0; i < n; i++) {
#pragma omp atomic
		x[0] += width;
	}
#pragma omp single
#if defined(WIDE)
	g(2);
#else
	g(3);
#endif
#pragma omp parallel
#ifdef DEBUG
	if (n)
#endif
	{
		g(4);
	}
#ifdef _OPENMP
#pragma omp critical
#endif
	{
		g(5);
#ifndef SPLIT
	}
#else
	}
#endif
#ifdef SPLIT
#pragma omp parallel
	{
#endif
#pragma omp critical
		if (n)
			g(6);
#ifdef DEBUG
		else
			g(7);
#endif
#if defined(SPLIT)
	}
#endif
}

#ifdef __cplusplus
}
#endif
