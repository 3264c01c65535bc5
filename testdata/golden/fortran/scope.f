      subroutine s(a)
      real a(10)
!$omp parallel
!$omp scope reduction(+: x)
      x = x + 1
!$omp end scope
!$omp loop
      do i = 1, 10
        a(i) = i
      end do
!$omp scope
      x = 1
!$omp end scope nowait
!$omp end parallel
!$omp parallel loop
      do i = 1, 10
        a(i) = i
      end do
      end subroutine
