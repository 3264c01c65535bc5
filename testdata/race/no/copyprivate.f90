! One thread's value goes to all.
program p
  integer :: v, s
  s = 0; v = 0
  !$omp parallel num_threads(4) firstprivate(v) reduction(+:s)
  !$omp single
  v = 5
  !$omp end single copyprivate(v)
  s = s + v
  !$omp end parallel
  print *, s
end program
