! issue: preprocessor lines inside a multi-line directive
! coverage: parallel do
! flags: -DDYNAMIC
program inside
  implicit none
  integer :: i, s
  s = 0
!$omp parallel do &
#ifdef DYNAMIC
!$omp schedule(dynamic, 2) &
#else
!$omp schedule(static) &
#endif
!$omp reduction(+:s)
  do i = 1, 10
    s = s + i
  end do
!$omp end parallel do
  print *, s
end program
