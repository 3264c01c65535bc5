! A reduction over an array.
program p
  integer :: i, h(8)
  h = 0
  !$omp parallel do reduction(+:h)
  do i = 1, 300
    h(mod(i, 8) + 1) = h(mod(i, 8) + 1) + 1
  end do
  print *, h
end program
