! A construct for each kind of call, some next to one another, in a procedure of a name that is looked for, three times.
program main
  call here(4)
  call here(2)
contains
  recursive subroutine here(n)
    use omp_lib
    integer, intent(in) :: n
    integer :: i, again, total, late
    integer(omp_lock_kind) :: lock
    total = 0
    late = 0
    call omp_init_lock(lock)
    do again = 1, 3
      !$omp parallel num_threads(2) reduction(+ : total) private(i)
      !$omp do schedule(dynamic)
      do i = 1, n
        total = total + i
      end do
      !$omp do ordered
      do i = 1, n
        !$omp ordered
        total = total + 1
        !$omp end ordered
      end do
      !$omp do
      do i = 1, n
        total = total + 1
      end do
      !$omp end do nowait
      total = total + 1
      !$omp sections
      !$omp section
      total = total + 1
      !$omp section
      total = total + 1
      !$omp end sections
      !$omp single
      !$omp taskgroup
      !$omp task shared(late) depend(out : late)
      late = late + 1
      !$omp end task
      !$omp task if (n < 1) shared(late)
      total = total
      !$omp end task
      !$omp task shared(late) depend(in : late)
      late = late - 1
      !$omp end task
      !$omp end taskgroup
      total = total + 1
      !$omp taskwait
      !$omp taskloop
      do i = 1, 2
        late = late
      end do
      !$omp end single
      !$omp single
      total = total + 1
      !$omp end single nowait
      total = total + 1
      !$omp workshare
      late = late
      !$omp end workshare
      !$omp master
      total = total + 1
      !$omp end master
      !$omp critical
      late = late + 1
      !$omp end critical
      call omp_set_lock(lock)
      late = late - 1
      call omp_unset_lock(lock)
      !$omp flush
      total = total + 1
      !$omp barrier
      !$omp end parallel
      !$omp parallel do num_threads(2)
      do i = 1, n
        late = late
      end do
      !$omp parallel num_threads(1)
      total = total + 1
      !$omp end parallel
    end do
    call omp_destroy_lock(lock)
    if (total + late < 0) stop 1
  end subroutine
end program
