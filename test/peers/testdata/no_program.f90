! issue: no PROGRAM statement
! coverage: parallel do; parallel
! a main program may begin with any statement
integer :: i, s
s = 0
!$omp parallel do reduction(+:s)
do i = 1, 3
  s = s + twice(i)
end do
!$omp parallel num_threads(2) reduction(+:s)
s = s + 1
!$omp end parallel
print *, s
contains
  integer function twice(k)
    integer, intent(in) :: k
    twice = 2 * k
  end function
end
