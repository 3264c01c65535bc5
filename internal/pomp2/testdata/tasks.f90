! Tasks, locks and functions of several files, by several threads.
module work
   implicit none
   integer :: done = 0
contains
   recursive subroutine spawn(depth)
      integer, intent(in) :: depth
      if (depth == 0) then
!$omp atomic
         done = done + 1
         return
      end if
!$omp task untied
      call spawn(depth - 1)
!$omp end task
!$omp taskgroup
!$omp task if(depth > 2)
      call spawn(depth - 1)
!$omp end task
!$omp end taskgroup
!$omp taskwait
   end subroutine
end module
program tasks
   use omp_lib
   use work
   implicit none
   integer :: i, total, j
   integer(omp_lock_kind) :: lock
   integer(omp_nest_lock_kind) :: nest
   call omp_init_lock(lock)
   call omp_init_nest_lock(nest)
   total = 0
!$omp parallel default(shared) num_threads(3)
!$omp single
   call spawn(7)
!$omp end single
!$omp masked
   total = total + 0
!$omp end masked
!$omp do collapse(2) reduction(+:total) schedule(dynamic)
   do i = 1, 4
      do j = 1, 4
         total = total + 1
      end do
   end do
!$omp end do
   call omp_set_lock(lock)
   total = total + 0
   call omp_unset_lock(lock)
   call omp_set_nest_lock(nest)
   call omp_unset_nest_lock(nest)
!$omp parallel do num_threads(2)
   do i = 1, 4
!$omp critical
      done = done + 0
!$omp end critical
   end do
!$omp end parallel
   print '(i0,1x,i0)', done, total
end program
