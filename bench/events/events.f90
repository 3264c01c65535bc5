! The calls of Fortran's text: opari instruments this file, and it is compiled without OpenMP.
subroutine f_do(n)
  integer, intent(in) :: n
  integer i, j
  do i = 1, n, 2
    !$omp do
    do j = 1, 1
    end do
    !$omp end do nowait
  end do
end subroutine

subroutine f_barrier(n)
  integer, intent(in) :: n
  integer i
  do i = 1, n, 2
    !$omp barrier
  end do
end subroutine

subroutine f_single(n)
  integer, intent(in) :: n
  integer i
  do i = 1, n, 4
    !$omp single
    !$omp end single nowait
  end do
end subroutine

subroutine f_critical(n)
  integer, intent(in) :: n
  integer i
  do i = 1, n, 4
    !$omp critical
    !$omp end critical
  end do
end subroutine

subroutine f_user(n)
  integer, intent(in) :: n
  integer i
  do i = 1, n, 2
    !$pomp inst begin(user)
    !$pomp inst end(user)
  end do
end subroutine
