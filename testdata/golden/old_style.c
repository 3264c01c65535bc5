#define MODULE(name)
struct matrix { int n; };
union either { int n; };

void structure(a)
	struct matrix a;
{
#pragma omp barrier
	a.n++;
}

int constant(a, n) const struct matrix *a; int n; {
#pragma omp barrier
	return a->n + n;
}

int callback(v, n, compare) int *v, n; int (*compare)(); {
#pragma omp barrier
	return compare(v) + n;
}

int function(compare, n)
	int compare();
	unsigned n;
{
#pragma omp barrier
	return compare() + n;
}

int arrays(argv, u) char *argv[]; union either u; {
#pragma omp barrier
	return u.n + argv[0][0];
}

MODULE(n) int value = 3;

int variable(void)
{
#pragma omp barrier
	return value;
}

MODULE(other) struct matrix made(int n)
{
	struct matrix m = { n };
#pragma omp barrier
	return m;
}
