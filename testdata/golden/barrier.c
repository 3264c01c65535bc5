void f(void)
{
#pragma omp barrier
  switch (1) {
  case 1:
#pragma omp barrier
    break;
  }
}
