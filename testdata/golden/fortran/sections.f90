      subroutine s
!$omp parallel
!$omp sections
      call one
!$omp section
      call two
!$omp section
!$omp section
      call three
!$omp end sections
!$omp sections
!$omp section
      call one
!$omp end sections nowait
!$omp end parallel
!$omp parallel sections num_threads(2)
!$omp section
      call one
!$omp end parallel sections
!$omp parallel sections
      call one
!$omp section
!$omp end parallel sections
      end subroutine
