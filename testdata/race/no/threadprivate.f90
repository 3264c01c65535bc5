! Each thread has a copy of the common block.
program p
  integer :: n, s
  common /own/ n
  !$omp threadprivate(/own/)
  s = 0; n = 3
  !$omp parallel num_threads(4) copyin(/own/) reduction(+:s)
  n = n + 1
  s = s + n
  !$omp end parallel
  print *, s
end program
