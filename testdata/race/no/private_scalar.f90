! The temporary is private.
program p
  integer :: i, t, b(200)
  !$omp parallel do private(t)
  do i = 1, 200
    t = 2 * i
    b(i) = t + 1
  end do
  print *, b(10)
end program
