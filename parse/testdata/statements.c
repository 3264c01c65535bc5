/* Every kind of statement as the body of a directive: gcc -fopenmp accepts this file. */
#include <stddef.h>

int a(void), b(int), g;
void use(void *);

struct point {
	int x, y;
} points[] = {{1, 2}, {.y = 3}};

int old_style(n, p) int n;
char *p;
{
#pragma omp parallel
	if (n)
		g = *p;
	else if (n > 1)
		g = p[1];
	else
		do
			g++;
		while (g < n);
	return g;
}

int (*chooser(int n))(void)
{
#pragma omp parallel
	switch (n) {
	case 0:
		b(0);
		break;
	case 1 ... 9:
#pragma omp critical
		b(1);
	default:
		b('}');
	}
	return a;
}

void loops(int n, int m[n][n])
{
#pragma omp parallel for collapse(2)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
#pragma omp atomic
			m[i][j] += ({ int t = i; t * 2; }) + (int)sizeof(struct { char c; });
		}
#pragma omp parallel
	while (g--)
#pragma omp critical (name)
		if (g & 1)
			for (;;) {
				if (g)
					break;
				else
					continue;
			}
		else
			b(g); /* else */
	if (n)
#pragma omp parallel
		b(1);
	else
#pragma omp parallel
		{
			b(2);
		}
}

void sections(void)
{
	const char *s = "#pragma omp barrier { \" }";
#pragma omp parallel sections
	{
		b(*s);
#pragma omp section
		{
			b(1);
		}
#pragma omp section
#pragma omp critical
		b(2);
	}
#pragma omp parallel
	{
#pragma omp single
	label:
		b(3);
#pragma omp master
		;
#pragma omp task \
	firstprivate(s) /* a comment \
	that goes on */
		{
			__extension__ int nested(int x)
			{
#pragma omp taskgroup
				{
					x++;
				}
				return x;
			}
			b(nested(1));
		}
#pragma omp barrier
		__attribute__((unused)) int last = 0;
	}
}

void escapes(void)
{
	int v<:2:> = <% '\'', '"' %>;
#pragma omp parallel
	<%
		v<:0:> = '{' + L'\x7d' + "}"[0]; // } \
		}
	%>
%:pragma omp parallel
	v[1] = (int[]){1, 2}[0];
}
