! The same basin as in ocean.c, in columns of cells: blocks of columns to the ranks, columns of a block to the threads.
! usage: ocean [rows columns steps], where rows and columns are those of ocean.c
program ocean
  use mpi_f08
  implicit none
  integer, parameter :: wide = kind(1d0)
  real(wide), allocatable, asynchronous :: now(:, :)
  real(wide), allocatable :: next(:, :)
  real(wide) :: change, most, total, own
  integer :: rank, ranks, across, all, steps, first, n, drop, s, provided, up, down, i
  type(MPI_Request) :: r(4)

  all = argument(1, 400)
  across = argument(2, 400)
  steps = argument(3, 200)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  first = all * rank / ranks
  n = all * (rank + 1) / ranks - first
  if (n < 2) then
    print '(a)', 'ocean: a rank needs two rows'
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end if
  up = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  down = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
  allocate (now(across, 0:n + 1), next(across, 0:n + 1), source=0d0)
  drop = all / 3 - first + 1
  if (drop >= 1 .and. drop <= n) now(across / 2 + 1, drop) = 1000
  most = 0
  do s = 1, steps
    call MPI_Irecv(now(:, 0), across, MPI_DOUBLE_PRECISION, up, 1, MPI_COMM_WORLD, r(1))
    call MPI_Irecv(now(:, n + 1), across, MPI_DOUBLE_PRECISION, down, 2, MPI_COMM_WORLD, r(2))
    call MPI_Isend(now(:, 1), across, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, r(3))
    call MPI_Isend(now(:, n), across, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, r(4))
    change = 0
!$omp parallel do reduction(max:change) schedule(static)
    do i = 2, n - 1
      change = max(change, relax(i))
    end do
!$omp end parallel do
    call MPI_Waitall(4, r, MPI_STATUSES_IGNORE)
    change = max(change, relax(1), relax(n))
    call MPI_Allreduce(change, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    now = next
  end do
  own = sum(now(:, 1:n))
  call MPI_Reduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(i0,a,i0,a,i0,a,f0.6,a,f8.6)', &
    all, ' x ', across, ' cells, ', steps, ' steps: ', total, ' left, last change ', most
  call MPI_Finalize()

contains

  ! One step of column i; the largest change in it.
  function relax(i) result(by)
    integer, intent(in) :: i
    real(wide) :: by
    integer :: j
    by = 0
    if (first + i == 1 .or. first + i == all) then
      next(:, i) = now(:, i)
      return
    end if
    do j = 2, across - 1
      next(j, i) = now(j, i) + 0.2d0 * (now(j - 1, i) + now(j + 1, i) + now(j, i - 1) + now(j, i + 1) - 4 * now(j, i))
      by = max(by, abs(next(j, i) - now(j, i)))
    end do
  end function relax

  function argument(n, otherwise) result(value)
    integer, intent(in) :: n, otherwise
    integer :: value, status
    character(20) :: text
    call get_command_argument(n, text, status=status)
    value = otherwise
    if (status == 0 .and. len_trim(text) > 0) read (text, *) value
  end function argument
end program ocean
