! issue: !DIR$ lines between directive and loop
! coverage: parallel do; parallel; do; atomic
program compiler_directives
  implicit none
  integer :: i, s, a(100)
  s = 0
!$omp parallel do
!DIR$ IVDEP
!GCC$ IVDEP
  do i = 1, 100
    a(i) = i
  end do
!$omp parallel
!$omp do reduction(+:s)
  ! a comment

!GCC$ unroll 4
  do i = 1, 100
    s = s + a(i)
  end do
!$omp end parallel
!$omp atomic
!DIR$ NOINLINE
  s = s + 1
  print *, s
end program
