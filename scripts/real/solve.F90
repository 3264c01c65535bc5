! Solves linear systems with MUMPS: a grid of three dimensions, as a symmetric positive definite, a general symmetric and an unsymmetric
! matrix, with whole and with compressed blocks, with one and with many right hand sides. Prints what does not depend on the order in
! which threads add up.
program solve
  implicit none
  include 'mpif.h'
  include 'dmumps_struc.h'
  integer :: ierr, sym, way
  call mpi_init(ierr)
  do sym = 0, 2
    do way = 1, 4
      call system(sym, way)
    end do
  end do
  call mpi_finalize(ierr)

contains

  subroutine system(sym, way)
    integer, intent(in) :: sym, way
    integer, parameter :: m = 14
    type(dmumps_struc) :: id
    integer :: i, k
    id%comm = mpi_comm_world
    id%sym = sym
    id%par = 1
    id%job = -1
    call dmumps(id)
    id%icntl(1:3) = -1 ! says nothing
    id%icntl(4) = 0
    id%icntl(7) = merge(0, 4, way == 3) ! ordering: approximate minimum degree, or that of PORD
    if (way == 2) id%icntl(35) = 2      ! block low rank
    if (way == 2) id%cntl(7) = 1d-10
    id%icntl(10) = merge(2, 0, way == 4) ! steps of refinement
    id%n = m**3
    id%nrhs = merge(5, 1, way == 4)
    call grid(id, m)
    allocate(id%rhs(id%n*id%nrhs))
    id%lrhs = id%n
    do k = 1, id%nrhs
      do i = 1, id%n
        id%rhs((k - 1)*id%n + i) = sin(0.01d0*i*k)
      end do
    end do
    id%job = 6
    call dmumps(id)
    print '(a,2i2,a,i4,2i9,3es16.8)', 'system', sym, way, ': ', id%infog(1), id%infog(29), id%infog(12), &
      sum(id%rhs), sum(abs(id%rhs)), maxval(id%rhs)
    deallocate(id%irn, id%jcn, id%a, id%rhs)
    id%job = -2
    call dmumps(id)
  end subroutine

  subroutine grid(id, m)
    type(dmumps_struc), intent(inout) :: id
    integer, intent(in) :: m
    integer :: x, y, z, i
    allocate(id%irn(7*m**3), id%jcn(7*m**3), id%a(7*m**3))
    id%nnz = 0
    do z = 0, m - 1
      do y = 0, m - 1
        do x = 0, m - 1
          i = 1 + x + m*(y + m*z)
          call add(id, i, i, 6.5d0 + 0.01d0*x)
          if (x > 0) call both(id, i, i - 1, -1.0d0)
          if (y > 0) call both(id, i, i - m, -0.9d0)
          if (z > 0) call both(id, i, i - m*m, -1.1d0)
        end do
      end do
    end do
  end subroutine

  subroutine both(id, i, j, v)
    type(dmumps_struc), intent(inout) :: id
    integer, intent(in) :: i, j
    real(8), intent(in) :: v
    call add(id, i, j, v)
    if (id%sym == 0) call add(id, j, i, 0.7d0*v)
  end subroutine

  subroutine add(id, i, j, v)
    type(dmumps_struc), intent(inout) :: id
    integer, intent(in) :: i, j
    real(8), intent(in) :: v
    id%nnz = id%nnz + 1
    id%irn(id%nnz) = i
    id%jcn(id%nnz) = j
    id%a(id%nnz) = v
  end subroutine
end program
