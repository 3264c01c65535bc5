#define N 4
program p
  integer :: i
#ifdef _OPENMP
  !$omp parallel do num_threads(N) &
#ifdef STATIC
  !$omp schedule(static) &
#endif
  !$omp private(i)
#endif
  do i = 1, N
  end do
#if defined(A)
  !$omp parallel
#else
  !$omp parallel num_threads(N)
#endif
  i = 1
  !$omp end parallel
#ifdef A
  !$omp do
  do i = 1, 2
#else
  do i = 1, 3
#endif
  end do
  !$omp critical
#if 0
  it's nothing
#else
  i = 2
#endif
  !$omp end critical
end program
