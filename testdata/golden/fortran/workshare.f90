      subroutine s(a)
      real a(10)
!$omp parallel
!$omp workshare
      a = 1
!$omp end workshare
!$omp workshare
      a = 1
!$omp end workshare nowait
!$omp end parallel
!$omp parallel workshare shared(a)
      where (a > 0) a = 2
!$omp end parallel workshare
      end subroutine
