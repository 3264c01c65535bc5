      recursive subroutine s(n)
      integer, value :: n
!$omp task firstprivate(n) if(n > 9) untied
      call s(n - 1)
!$omp end task
!$omp taskgroup
!$omp taskloop num_tasks(4)
      do i = 1, n
        call s(0)
      end do
!$omp end taskloop
!$omp taskloop simd
      do i = 1, n
        x = i
      end do
!$omp end taskgroup
      end subroutine
