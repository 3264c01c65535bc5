      subroutine s(x)
!$omp parallel private(z)
!$omp single
      call one
!$omp end single
!$omp single
      call one
!$omp endsingle nowait
!$omp single firstprivate(x)
      z = 1
!$omp end single copyprivate(z)
!$omp end parallel
      end subroutine
