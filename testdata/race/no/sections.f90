! Each section has a variable of its own.
program p
  integer :: x, y
  !$omp parallel sections num_threads(2)
  !$omp section
  x = 1
  !$omp section
  y = 2
  !$omp end parallel sections
  print *, x + y
end program
