      subroutine s(x, v)
!$omp atomic
      x = x + 1
!$omp atomic write
      x = 1
!$omp end atomic
!$omp atomic capture
      v = x
      x = x + 1
!$omp atomic capture
      x = x + 1
      v = x
!$omp end atomic
!$omp atomic compare
      if (x == v) then
        x = 2
      end if
!$omp atomic compare capture
      if (x == v) then
        x = 2
      else
        v = x
      end if
      x = 3
      end subroutine
