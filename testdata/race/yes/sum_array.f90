! A histogram without a reduction.
program p
  integer :: i, h(8)
  h = 0
  !$omp parallel do
  do i = 1, 300
    h(mod(i, 8) + 1) = h(mod(i, 8) + 1) + 1
  end do
  print *, sum(h) > 0
end program
