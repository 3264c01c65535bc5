! The old values have an array of their own.
program p
  integer :: i, a(501), old(501)
  a = 1
  !$omp parallel
  !$omp do
  do i = 1, 501
    old(i) = a(i)
  end do
  !$omp end do
  !$omp do
  do i = 1, 500
    a(i) = old(i + 1) + 1
  end do
  !$omp end do
  !$omp end parallel
  print *, a(1)
end program
