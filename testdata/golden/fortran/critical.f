      subroutine s(x)
!$omp critical
      x = x + 1
!$omp end critical
!$omp critical (Name) hint(0)
      x = x + 1
!$omp end critical (Name)
      end subroutine
