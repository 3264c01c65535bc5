long fib(int n)
{
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x) if(n > 20) untied
  x = fib(n - 1);
#pragma omp task shared(y) default(none) firstprivate(n) depend(out : y)
  {
    y = fib(n - 2);
  }
#pragma omp taskwait
  return x + y;
}
