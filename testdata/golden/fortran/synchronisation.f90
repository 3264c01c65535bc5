      subroutine s(x)
!$omp barrier
!$omp flush
!$omp flush(x)
!$omp taskwait
!$omp taskyield
      if (x > 1) then
!$omp barrier
      end if
      end subroutine
