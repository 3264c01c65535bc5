      subroutine s
!$omp parallel
      block
      call one
      end block
      call two
!$omp parallel
      block
      call one
      end block
!$omp end parallel
!$omp parallel
!$omp single
      block
!$omp critical
      block
      call one
      end block
      end block
!$omp end parallel
!$omp target
      block
      call one
      end block
      end subroutine
