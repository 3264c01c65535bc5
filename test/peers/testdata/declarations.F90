! issue: #ifdef at the start of the declarations
! coverage: parallel do; parallel
subroutine work(s)
#ifdef SMALL
  implicit none
  integer(kind=2) :: i
#else
  implicit none
  integer :: i
#endif
  integer, intent(inout) :: s
!$omp parallel do reduction(+:s)
  do i = 1, 5
    s = s + int(i)
  end do
end subroutine
program declarations
#ifndef NOTHING
  use omp_lib
#endif
  implicit none
  integer :: s
  s = 0
  call work(s)
!$omp parallel num_threads(2) reduction(max:s)
  s = max(s, omp_get_num_threads())
!$omp end parallel
  print *, s
end program
