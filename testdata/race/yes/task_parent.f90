! The parent reads before a taskwait.
program p
  integer :: x, y
  x = 0; y = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task shared(x)
  x = 1
  !$omp end task
  y = x
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  print *, y >= 0
end program
