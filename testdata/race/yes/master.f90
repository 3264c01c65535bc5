! Master has no barrier.
program p
  integer :: x, y
  x = 0; y = 0
  !$omp parallel num_threads(4) reduction(+:y)
  !$omp master
  x = 1
  !$omp end master
  y = y + x
  !$omp end parallel
  print *, y >= 0
end program
