! An iteration reads what the next one writes.
program p
  integer :: i, a(501)
  a = 1
  !$omp parallel do
  do i = 1, 500
    a(i) = a(i + 1) + 1
  end do
  print *, a(1) > 0
end program
