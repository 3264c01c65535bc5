! The area of the Mandelbrot set, by the share of a grid's points that are in it.
program mandel
  implicit none
  integer, parameter :: n = 1000, limit = 1000
  integer :: row, inside

  inside = 0
  !$omp parallel do reduction(+:inside)
  do row = 1, n
    inside = inside + points_inside(row)
  end do
  !$omp end parallel do
  print '(a, f7.4)', 'area: ', 3.0 * 2.5 * inside / real(n) ** 2

contains

  ! The points of one row of the upper half that do not escape.
  integer function points_inside(row)
    integer, intent(in) :: row
    complex :: c, z
    integer :: column, step

    points_inside = 0
    do column = 1, n
      c = cmplx(-2.25 + 3.0 * column / n, 1.25 * row / n)
      z = 0
      do step = 1, limit
        z = z * z + c
        if (real(z) ** 2 + aimag(z) ** 2 > 4) exit
      end do
      if (step > limit) points_inside = points_inside + 1
    end do
  end function
end program
