! Clauses of which POMP2's strings say more than that they are there.
program clauses
   implicit none
   integer :: n, a, b, i
   n = 0
   a = 0
   b = 0
!$omp parallel do default(none) shared(a) firstprivate(n) schedule(dynamic,3+1) if(a==0) &
!$omp & num_threads(2) lastprivate(b)
   do i = 1, 1
      b = n + a
   end do
!$omp parallel default(private) shared(n)
   a = 0
!$omp do schedule(static, 2)
   do i = 1, 1
      a = a + 1
   end do
!$omp single
   n = n + 1
!$omp end single copyprivate(a)
!$omp task default(firstprivate) shared(n) untied if(n>0)
!$omp atomic
   n = n + 1
!$omp end task
!$omp end parallel
end program
