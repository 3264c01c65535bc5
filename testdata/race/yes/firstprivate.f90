! The inner loop's bound is shared and written.
program p
  integer :: i, j, n, a(100)
  a = 0
  !$omp parallel do private(j) num_threads(4)
  do i = 1, 100
    n = mod(i, 3) + 1
    do j = 1, n
      a(i) = a(i) + j
    end do
  end do
  print *, sum(a) > 0
end program
