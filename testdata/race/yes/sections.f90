! Two sections write one variable.
program p
  integer :: x
  !$omp parallel sections num_threads(2)
  !$omp section
  x = 1
  !$omp section
  x = 2
  !$omp end parallel sections
  print *, x > 0
end program
