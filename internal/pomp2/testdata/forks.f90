! Values of if and num_threads. The end of each region shows which it is.
program forks
   use omp_lib
   implicit none
   integer :: n, i, s
   integer(8) :: many
   logical :: yes
   n = 3
   many = 2
   yes = .false.
   s = 0
!$omp parallel num_threads(n)
!$omp end parallel
!$omp parallel if(n > 3)
!$omp end parallel
!$omp parallel do if(parallel: .not. yes .and. n /= 4) num_threads(many + min(n, 1)) &
!$omp & reduction(+:s)
   do i = 1, 8
      s = s + i
   end do
!$omp end parallel do
!$omp parallel if(yes) num_threads(2)
!$omp critical
   s = s + 1
!$omp end critical
!$omp end parallel
!$omp parallel
!$omp end parallel
!$omp parallel num_threads(twice(1))
!$omp end parallel
   print '(i0)', s
contains
   integer function twice(k)
      integer, intent(in) :: k
      twice = 2*k
   end function
end program
