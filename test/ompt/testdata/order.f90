! order.f90: as order.c, with what GCC 12 hands to its runtime: it loses depend of target teams, stops an
! iterator before the last value, and has what stands before it once more for each value.
module shared
  use iso_c_binding
  implicit none
  character(kind=c_char), bind(c) :: cells(0:95)
end module

program order
  use omp_lib
  use shared
  implicit none
  integer :: i
!$omp task depend(in: cells(0)) depend(out: cells(1), cells(2)) depend(in: cells(3)) ! i0 +1 +2 i3
  cells(0) = 'a'
!$omp end task
!$omp task depend(in: cells(0)) depend(mutexinoutset: cells(1), cells(2)) depend(inout: cells(3)) if (.false.) ! i0 m1 m2 +3
  cells(0) = 'a'
!$omp end task
!$omp task depend(iterator(i = 0:3:2), in: cells(i)) depend(out: cells(9)) depend(in: cells(8), cells(7)) ! i0 i2 +9 i8 i7
  cells(0) = 'a'
!$omp end task
!$omp task depend(iterator(i = 0:3:2), in: cells(i), cells(i + 4)) depend(out: cells(9)) depend(in: cells(8)) ! i0 i4 i2 i6 +9 i8
  cells(0) = 'a'
!$omp end task
!$omp taskwait depend(in: cells(0), cells(1)) depend(out: cells(2)) ! i0 i1 +2
!$omp target nowait map(tofrom: cells) depend(in: cells(0), cells(1)) depend(out: cells(2)) ! i0 i1 +2
  cells(0) = 'a'
!$omp end target
!$omp target update nowait to(cells) depend(in: cells(0), cells(1)) depend(out: cells(2)) ! i0 i1 +2
!$omp taskwait
end program
