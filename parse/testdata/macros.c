/* Macros that change where statements start and end: gcc -fopenmp accepts this file. */
#include <stdio.h>
#include <stdlib.h>
#include "macros.h"

#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define SWAP(a, b)                 \
	do {                       \
		int swap_ = (a);   \
		(a) = (b);         \
		(b) = swap_;       \
	} while (0)
#define CHECK(x)                                     \
	{                                            \
		if (!(x)) {                          \
			fprintf(stderr, "%s\n", #x); \
			abort();                     \
		}                                    \
	}
#define WHEN(c) if (c)
#define OTHERWISE else
#ifdef DEBUG
#define TRACE(...) printf(__VA_ARGS__);
#define BEGIN {
#define FINISH }
#else
#define TRACE(...)
#define BEGIN
#define FINISH
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CLOSE_1 }

void f(int n, int *x, int *y)
{
#pragma omp parallel for
	LOOP(i, n) x[i] = y[i];
#pragma omp critical
	SWAP(*x, *y);
#pragma omp single
	CHECK(n > 0)
#pragma omp master
	WHEN(n)
	printf("}");
	OTHERWISE
	printf("{");
#pragma omp parallel
	OPEN_BLOCK
#pragma omp single
		x[0] = 1;
	CLOSE_BLOCK
#pragma omp parallel
	{
		x[1] = 2;
	CAT(CLO, SE_1)
#pragma omp single
	BEGIN x[2] = 3;
	FINISH
#pragma omp master
	TRACE("x")
	{
		x[3] = 4;
	}
#define LAST x[4] = 5;
#pragma omp atomic write
	LAST
}
