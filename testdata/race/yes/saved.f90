! A saved local variable is shared.
subroutine next(n)
  integer, intent(out) :: n
  integer, save :: last = 0
  last = last + 1
  n = last
end subroutine
program p
  integer :: n
  !$omp parallel num_threads(4) private(n)
  call next(n)
  !$omp end parallel
  print *, 'done'
end program
