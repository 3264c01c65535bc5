! cells.f90: cells.c in Fortran, with modules as SNAP has them. It prints the ns of processor time
! that the sweeps took. Compile it with -fno-inline: GCC 12 has no attribute for that in Fortran.
!
! usage: cells SWEEPS
module mesh
  implicit none
  integer, parameter :: cells = 20000, groups = 8
  real(8), save :: density(0:cells-1), energy(0:cells-1), flow(groups, 0:cells-1)
end module

module state
  implicit none
contains
  ! 10 ns
  subroutine limited(a, b, r)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: r
    r = a / (b * b + 1d-9)
    r = (r + abs(r)) / (1 + abs(r))
  end subroutine

  ! 25 ns
  real(8) function pressure(d, e)
    real(8), intent(in) :: d, e
    real(8) :: p, c
    p = 0.4d0 * d * e
    c = sqrt(1.4d0 * p / d)
    pressure = p + 0.1d0 * c * sqrt(c + 1) / (1 + c)
  end function
end module

module sweeps
  use mesh
  use state
  implicit none
contains
  ! 80 ns
  real(8) function transferred(i, source)
    integer, intent(in) :: i
    real(8), intent(in) :: source
    real(8) :: total, psi
    integer :: g
    total = source
    do g = 1, groups
      psi = (total + flow(g, i)) / (1.5d0 + density(i) * g)
      flow(g, i) = 2 * psi - 0.5d0 * total
      total = 0.5d0 * (total + psi)
    end do
    transferred = total
  end function

  ! 250 ns
  subroutine cell(i)
    integer, intent(in) :: i
    integer :: left, right
    real(8) :: p, slope, t
    left = mod(i + cells - 1, cells)
    right = mod(i + 1, cells)
    p = pressure(density(i), energy(i))
    call limited(energy(i) - energy(left), energy(right) - energy(i), slope)
    t = transferred(i, p * (1 + 0.1d0 * slope))
    energy(i) = 0.999d0 * energy(i) + 0.001d0 * abs(t)
  end subroutine

  ! 10 us
  subroutine block_of(from, to)
    integer, intent(in) :: from, to
    integer :: i
    do i = from, to
      call cell(i)
    end do
  end subroutine

  subroutine sweep
    integer :: b
    !$omp parallel do schedule(static)
    do b = 0, cells - 1, 100
      call block_of(b, b + 99)
    end do
    !$omp end parallel do
  end subroutine
end module

program main
  use sweeps
  implicit none
  integer :: i, n
  real(8) :: start, finish
  character(len=20) :: word
  call get_command_argument(1, word)
  read (word, *) n
  do i = 0, cells - 1
    density(i) = 1 + 0.1d0 * mod(i, 7)
    energy(i) = 2 + 0.1d0 * mod(i, 13)
  end do
  flow = 0
  call cpu_time(start)
  do i = 1, n
    call sweep
  end do
  call cpu_time(finish)
  print '(i0)', nint((finish - start) * 1d9, 8)
  if (energy(3) < 0) error stop
end program
