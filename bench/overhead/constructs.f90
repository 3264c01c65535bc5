! The loops of constructs.c in Fortran: make -C bench instructions counts what events cost in both. What C's work() is, is a store to a volatile variable here.

subroutine k_parallel(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  do i = 1, repetitions
    !$omp parallel private(work)
    work = 0
    !$omp end parallel
  end do
end subroutine

subroutine k_parallel_for(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer :: j
  do i = 1, repetitions
    !$omp parallel do schedule(static) private(work)
    do j = 1, 2
      work = 0
    end do
    !$omp end parallel do
  end do
end subroutine

subroutine k_reduction(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer :: sum
  sum = 0
  do i = 1, repetitions
    !$omp parallel reduction(+ : sum)
    sum = sum + 1
    !$omp end parallel
  end do
  work = sum
end subroutine

subroutine k_for_static(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer :: j
  !$omp parallel private(work, i, j)
  do i = 1, repetitions
    !$omp do schedule(static)
    do j = 1, 2
      work = 0
    end do
    !$omp end do
  end do
  !$omp end parallel
end subroutine

subroutine k_for_nowait(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer :: j
  !$omp parallel private(work, i, j)
  do i = 1, repetitions
    !$omp do schedule(static)
    do j = 1, 2
      work = 0
    end do
    !$omp end do nowait
  end do
  !$omp end parallel
end subroutine

subroutine k_for_dynamic(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer :: j
  !$omp parallel private(work, i, j)
  do i = 1, repetitions
    !$omp do schedule(dynamic, 4)
    do j = 1, 8
      work = 0
    end do
    !$omp end do
  end do
  !$omp end parallel
end subroutine

subroutine k_sections(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp sections
    !$omp section
    work = 0
    !$omp section
    work = 0
    !$omp end sections
  end do
  !$omp end parallel
end subroutine

subroutine k_single(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp single
    work = 0
    !$omp end single
  end do
  !$omp end parallel
end subroutine

subroutine k_single_nowait(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp single
    work = 0
    !$omp end single nowait
  end do
  !$omp end parallel
end subroutine

subroutine k_barrier(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    work = 0
    !$omp barrier
  end do
  !$omp end parallel
end subroutine

subroutine k_master(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp master
    work = 0
    !$omp end master
  end do
  !$omp end parallel
end subroutine

subroutine k_critical(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp critical
    work = 0
    !$omp end critical
  end do
  !$omp end parallel
end subroutine

subroutine k_critical_named(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp critical (name)
    work = 0
    !$omp end critical (name)
  end do
  !$omp end parallel
end subroutine

subroutine k_atomic(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer :: sum
  sum = 0
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp atomic
    sum = sum + 1
  end do
  !$omp end parallel
  work = sum
end subroutine

subroutine k_lock(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  use omp_lib
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer(omp_lock_kind) :: lock
  call omp_init_lock(lock)
  !$omp parallel private(work, i)
  do i = 1, repetitions
    call omp_set_lock(lock)
    work = 0
    call omp_unset_lock(lock)
  end do
  !$omp end parallel
  call omp_destroy_lock(lock)
end subroutine

subroutine k_nest_lock(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  use omp_lib
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  integer(omp_nest_lock_kind) :: lock
  call omp_init_nest_lock(lock)
  !$omp parallel private(work, i)
  do i = 1, repetitions
    call omp_set_nest_lock(lock)
    work = 0
    call omp_unset_nest_lock(lock)
  end do
  !$omp end parallel
  call omp_destroy_nest_lock(lock)
end subroutine

subroutine k_flush(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp flush
    work = 0
  end do
  !$omp end parallel
end subroutine

subroutine k_ordered(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel do ordered schedule(static, 1) private(work)
  do i = 1, repetitions
    !$omp ordered
    work = 0
    !$omp end ordered
  end do
  !$omp end parallel do
end subroutine

subroutine k_task(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    !$omp task private(work)
    work = 0
    !$omp end task
    if (mod(i, 32_c_long) == 0) then
      !$omp taskwait
    end if
  end do
  !$omp end parallel
end subroutine

subroutine k_taskwait(repetitions) bind(c)
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), value :: repetitions
  integer(c_long) :: i
  integer, volatile :: work
  !$omp parallel private(work, i)
  do i = 1, repetitions
    work = 0
    !$omp taskwait
  end do
  !$omp end parallel
end subroutine
