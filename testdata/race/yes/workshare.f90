! Nobody waits for the workshare.
program p
  integer :: a(200), s
  a = 1; s = 0
  !$omp parallel num_threads(4) reduction(+:s)
  !$omp workshare
  a = a + 1
  !$omp end workshare nowait
  s = s + a(200) + a(1)
  !$omp end parallel
  print *, s > 0
end program
