! Every construct that POMP2 and OPARI2 know. What a thread does depends on its number alone.
program every
   use omp_lib
   implicit none
   integer :: i, n, total, a(8)
   integer(omp_lock_kind) :: lock
   integer(omp_nest_lock_kind) :: nest
   n = 0
   total = 0
!$omp parallel do reduction(+:total) schedule(static,2)
   do i = 1, 8
      total = total + i
   end do
!$pomp inst begin(whole)
!$omp parallel
!$omp do schedule(static)
   do i = 1, 8
      a(i) = i
   end do
!$omp end do nowait
!$omp barrier
!$omp critical
   n = n + 1
!$omp end critical
!$omp critical (named)
   n = n + 1
!$omp end critical (named)
!$omp master
   n = n + 1
!$omp end master
!$omp atomic
   n = n + 1
!$omp flush
!$omp do ordered schedule(static)
   do i = 1, 4
!$omp ordered
      n = n + 1
!$omp end ordered
   end do
!$omp end do
   if (omp_get_num_threads() == 1) then
!$omp single
      call spawn(3)
!$omp end single
!$omp workshare
      a = 2
!$omp end workshare
!$omp sections
!$omp section
      n = n + 1
!$omp section
      n = n + 1
!$omp end sections
   end if
!$omp end parallel
!$pomp inst end(whole)
   call omp_init_lock(lock)
   call omp_set_lock(lock)
   if (omp_test_lock(lock)) print *, 'set twice'
   call omp_unset_lock(lock)
   call omp_destroy_lock(lock)
   call omp_init_nest_lock(nest)
   call omp_set_nest_lock(nest)
   n = n + omp_test_nest_lock(nest)
   call omp_unset_nest_lock(nest)
   call omp_unset_nest_lock(nest)
   call omp_destroy_nest_lock(nest)
!$omp parallel workshare num_threads(1)
   a = 3
!$omp end parallel workshare
   print '(a,i0)', 'sum ', total
contains
   recursive subroutine spawn(depth)
      integer, intent(in) :: depth
      if (depth == 0) return
!$omp task
      call spawn(depth - 1)
!$omp end task
!$omp task
      call spawn(depth - 1)
!$omp end task
!$omp taskwait
   end subroutine
end program
