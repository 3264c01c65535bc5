! A lock guards the counter.
program p
  use omp_lib
  integer :: n
  integer(omp_lock_kind) :: l
  n = 0
  call omp_init_lock(l)
  !$omp parallel num_threads(4)
  call omp_set_lock(l)
  n = n + 1
  call omp_unset_lock(l)
  !$omp end parallel
  call omp_destroy_lock(l)
  print *, n
end program
