! The parent reads behind a taskwait.
program p
  integer :: x, y
  x = 0; y = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task shared(x)
  x = 1
  !$omp end task
  !$omp taskwait
  y = x
  !$omp end single
  !$omp end parallel
  print *, y
end program
