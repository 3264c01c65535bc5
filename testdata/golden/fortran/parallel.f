      program p
      integer n, omp_get_thread_num
      n = 4
!$omp parallel num_threads(n) if(n > 1) private(n)
      n = omp_get_thread_num()
!$omp end parallel
!$OMP PARALLEL DEFAULT(NONE)
!$OMP ENDPARALLEL
      end program
