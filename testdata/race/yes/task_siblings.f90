! Two tasks without a dependence.
program p
  integer :: x
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task shared(x)
  x = 1
  !$omp end task
  !$omp task shared(x)
  x = 2
  !$omp end task
  !$omp end single
  !$omp end parallel
  print *, x > 0
end program
