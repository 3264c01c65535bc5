! A sum with a reduction.
program p
  integer :: i
  real(8) :: s, x(300)
  s = 0; x = 1
  !$omp parallel do reduction(+:s)
  do i = 1, 300
    s = s + x(i)
  end do
  print *, s
end program
