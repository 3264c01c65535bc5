! issue: macros inside Fortran directives (lower-cased)
! coverage: parallel do; parallel do
! source: parallel do; loop skipped
! flags: -ffree-line-length-none
#define NThreads 2
#define RedOp(Op, Var) reduction(Op:Var)
#define Loop parallel do
program macros
  implicit none
  integer :: i, s
  s = 0
!$omp parallel do num_threads(NThreads) RedOp(+, s)
  do i = 1, 10
    s = s + NThreads
  end do
!$omp Loop RedOp(+, s)
  do i = 1, 10
    s = s + NThreads
  end do
  print *, s
end program
