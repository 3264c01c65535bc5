# 100 "orig.F90"
subroutine s
# 7 "inc.h" 1
!$omp barrier
# 103 "orig.F90" 2
!$omp parallel
x = 1
!$omp end parallel
end
