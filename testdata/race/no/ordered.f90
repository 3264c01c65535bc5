! Ordered regions follow each other.
program p
  integer :: i, n
  n = 0
  !$omp parallel do ordered schedule(dynamic) num_threads(4)
  do i = 1, 60
    !$omp ordered
    n = n + i
    !$omp end ordered
  end do
  print *, n
end program
