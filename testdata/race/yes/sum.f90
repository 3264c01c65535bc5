! A sum without a reduction.
program p
  integer :: i
  real(8) :: s, x(300)
  s = 0; x = 1
  !$omp parallel do
  do i = 1, 300
    s = s + x(i)
  end do
  print *, s > 0
end program
