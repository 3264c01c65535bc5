! Two ranks send to each other, by each of Fortran's bindings; mpi_test.go knows what.
program fortran
#ifdef BINDING_MPI_F08
  use mpi_f08
#endif
#ifdef BINDING_MPI
  use mpi
#endif
  implicit none
#ifndef FIRST /* index that MPI_Waitany and MPI_Testsome give for the first request; MPICH 4.0's module mpi_f08 says 0 */
#define FIRST 1
#endif
#ifdef BINDING_MPIF
  include 'mpif.h'
#endif
#ifdef BINDING_MPI_F08
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status)
#define SIZED
#define LIST(n) (n)
#define SOURCE(s) s%MPI_SOURCE
#define SOURCES(s, i) s(i)%MPI_SOURCE
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#define IERR
#define ONLY
#else
#define STATUS integer
#define SIZED (MPI_STATUS_SIZE)
#define LIST(n) (MPI_STATUS_SIZE, n)
#define SOURCE(s) s(MPI_SOURCE)
#define SOURCES(s, i) s(MPI_SOURCE, i)
#define REQUEST integer
#define COMM integer
#define IERR , ierr
#define ONLY ierr
#endif
  integer :: me, other, ierr, i, k, done, at, rounds
  logical :: flag
  double precision :: a(6), in(6), total(2), each(2)
  REQUEST :: r(6)
  STATUS :: one SIZED
  STATUS :: many LIST(6)
  COMM :: twin
  integer :: places(6)

  call MPI_Init(ONLY)
  call MPI_Comm_rank(MPI_COMM_WORLD, me IERR)
  other = 1 - me
  a = me
  ! tags 1 to 3: blocking
  do i = 1, 3
    if (me == 0) call MPI_Send(a, 1, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD IERR)
    call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, one IERR)
    if (SOURCE(one) /= other) error stop 1
    if (me == 1) call MPI_Send(a, 1, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD IERR)
    call MPI_Sendrecv(a, 1, MPI_DOUBLE_PRECISION, other, 2, in, 1, MPI_DOUBLE_PRECISION, &
                      other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERR)
    call MPI_Sendrecv(a, 1, MPI_DOUBLE_PRECISION, other, 3, in, 1, MPI_DOUBLE_PRECISION, &
                      other, 3, MPI_COMM_WORLD, one IERR)
  end do
  ! tags 4 to 9: three each, waited for in one way each
  do k = 4, 9
    do i = 1, 3
      call MPI_Irecv(in(i), 1, MPI_DOUBLE_PRECISION, other, k, MPI_COMM_WORLD, r(i) IERR)
    end do
    do i = 1, 3
      call MPI_Isend(a(i), 1, MPI_DOUBLE_PRECISION, other, k, MPI_COMM_WORLD, r(3 + i) IERR)
    end do
    select case (k)
    case (4)
      call MPI_Waitall(6, r, MPI_STATUSES_IGNORE IERR)
    case (5)
      call MPI_Waitall(6, r, many IERR)
      if (SOURCES(many, 3) /= other) error stop 2
    case (6)
      rounds = 0
      do i = 1, 6
        call MPI_Waitany(6, r, at, one IERR)
        if (at < FIRST .or. at > 5 + FIRST) error stop 3
        rounds = rounds + at
        if (at <= 2 + FIRST) then
          if (SOURCE(one) /= other) error stop 31
        end if
      end do
      if (rounds /= 15 + 6 * FIRST) error stop 4
    case (7)
      rounds = 0
      at = 0
      do while (rounds < 6)
        call MPI_Testsome(6, r, done, places, many IERR)
        do i = 1, done
          at = at + places(i)
          if (places(i) <= 2 + FIRST) then
            if (SOURCES(many, i) /= other) error stop 5
          end if
        end do
        rounds = rounds + done
      end do
      if (at /= 15 + 6 * FIRST) error stop 6
    case (8)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(6, r, flag, MPI_STATUSES_IGNORE IERR)
      end do
    case (9)
      do i = 1, 6
        if (i == 2) then
          flag = .false.
          do while (.not. flag)
            call MPI_Test(r(i), flag, MPI_STATUS_IGNORE IERR)
          end do
        else
          call MPI_Wait(r(i), one IERR)
          if (i <= 3) then
            if (SOURCE(one) /= other) error stop 7
          end if
        end if
      end do
    end select
    if (any(in(1:3) /= other)) error stop 8
  end do
  ! tag 10: persistent
  call MPI_Recv_init(in, 1, MPI_DOUBLE_PRECISION, other, 10, MPI_COMM_WORLD, r(1) IERR)
  call MPI_Send_init(a, 1, MPI_DOUBLE_PRECISION, other, 10, MPI_COMM_WORLD, r(2) IERR)
  do i = 1, 2
    call MPI_Startall(2, r(1:2) IERR)
    do k = 1, 2
      call MPI_Wait(r(k), MPI_STATUS_IGNORE IERR)
    end do
  end do
  call MPI_Request_free(r(1) IERR)
  call MPI_Request_free(r(2) IERR)
  ! a communicator with a name, collective operations, one in place
  call MPI_Comm_dup(MPI_COMM_WORLD, twin IERR)
  call MPI_Comm_set_name(twin, 'a name' IERR)
  if (me == 0) call MPI_Send(a, 1, MPI_DOUBLE_PRECISION, other, 20, twin IERR)
  call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, other, 20, twin, MPI_STATUS_IGNORE IERR)
  if (me == 1) call MPI_Send(a, 1, MPI_DOUBLE_PRECISION, other, 20, twin IERR)
  call MPI_Comm_free(twin IERR)
  total = 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD IERR)
  if (any(total /= 2)) error stop 9
  each(me + 1) = me
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, each, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD IERR)
  if (each(1) /= 0 .or. each(2) /= 1) error stop 10
!$omp parallel
!$omp end parallel
  if (me == 0) print '(a)', 'all is well'
  call MPI_Finalize(ONLY)
end program fortran
