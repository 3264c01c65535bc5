      subroutine s
!$omp parallel
!$omp master
      call one
!$omp end master
!$omp masked filter(1)
      call one
!$omp end masked
!$omp end parallel
!$omp parallel master
      call one
!$omp end parallel master
!$omp parallel masked taskloop private(i) firstprivate(j)
      do i = 1, 4
        call one
      end do
      end subroutine
