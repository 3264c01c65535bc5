      subroutine dependences(c)
      character c(4)
!$omp task depend(in: c(1), c(2)) depend(OUT: c(3))
      c(1) = 'a'
!$omp end task
      end subroutine
