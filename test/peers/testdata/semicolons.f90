! issue: ; inside parallel loops
! coverage: parallel do; parallel do; parallel; do; critical
program semicolons
  implicit none
  integer :: i, j, s, t; s = 0; t = 0
!$omp parallel do reduction(+:s) private(j)
  do i = 1, 4; do j = 1, 2; s = s + i; end do; end do
!$omp parallel do reduction(+:s)
  do i = 1, 4; if (i == 2) then; s = s + 1; else; s = s + 2; end if; enddo ; t = 5
!$omp parallel
!$omp do
  do i = 1, 3
!$omp critical
    t = t + i; t = t + 1; continue
!$omp end critical
  end do; continue
!$omp end parallel
  print *, s, t; end program
