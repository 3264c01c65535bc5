! A temporary is shared.
program p
  integer :: i, t, b(200)
  !$omp parallel do
  do i = 1, 200
    t = 2 * i
    b(i) = t + 1
  end do
  print *, b(10) > 0
end program
