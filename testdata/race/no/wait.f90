! A loop waits for the one before.
program p
  integer :: i, a(400), b(400)
  !$omp parallel
  !$omp do
  do i = 1, 400
    a(i) = i
  end do
  !$omp end do
  !$omp do
  do i = 1, 400
    b(i) = a(401 - i)
  end do
  !$omp end do
  !$omp end parallel
  print *, b(1)
end program
