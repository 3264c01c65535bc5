! Dependences order the tasks.
program p
  integer :: x, y
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task shared(x) depend(out: x)
  x = 1
  !$omp end task
  !$omp task shared(x, y) depend(in: x)
  y = x
  !$omp end task
  !$omp taskwait
  print *, x + y
  !$omp end single
  !$omp end parallel
end program
