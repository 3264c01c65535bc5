! All accesses are atomic.
program p
  integer :: i, n
  n = 0
  !$omp parallel do num_threads(4)
  do i = 1, 100
    !$omp atomic
    n = n + i
  end do
  print *, n
end program
