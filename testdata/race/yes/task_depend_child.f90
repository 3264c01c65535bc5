! A dependence does not reach the child of a task.
program p
  integer :: x, y
  x = 0; y = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task shared(x) depend(out: x)
  !$omp task shared(x)
  x = 1
  !$omp end task
  !$omp end task
  !$omp task shared(x, y) depend(in: x)
  y = x
  !$omp end task
  !$omp end single
  !$omp end parallel
  print *, x + y >= 0
end program
