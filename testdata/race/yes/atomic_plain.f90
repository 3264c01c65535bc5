! One update is atomic, the other is not.
program p
  integer :: n
  n = 0
  !$omp parallel num_threads(4)
  !$omp atomic
  n = n + 1
  n = n + 2
  !$omp end parallel
  print *, n > 0
end program
