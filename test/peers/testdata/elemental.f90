! issue: a Fortran program with contains and an elemental function
! coverage: parallel do; parallel; workshare; simd skipped
program elementals
  implicit none
  integer :: i, s, a(10)
  s = 0
!$omp parallel do reduction(+:s)
  do i = 1, 10
    s = s + square(i)
  end do
!$omp parallel
!$omp workshare
  a = square([(i, i = 1, 10)])
!$omp end workshare
!$omp end parallel
  print *, s, sum(a)
contains
  elemental integer function square(k)
    integer, intent(in) :: k
    square = k * k
  end function
  pure integer function vector(k) result(r)
    integer, intent(in) :: k
    integer :: j
    r = 0
!$omp simd reduction(+:r)
    do j = 1, k
      r = r + j
    end do
  end function
end program
