      subroutine s(a)
      real a(10)
!$omp parallel do ordered
      do i = 1, 10
!$omp ordered
        a(i) = 1
!$omp end ordered
      end do
!$omp parallel do ordered(1)
      do i = 2, 10
!$omp ordered depend(sink: i - 1)
        a(i) = a(i - 1)
!$omp ordered depend(source)
      end do
      end subroutine
