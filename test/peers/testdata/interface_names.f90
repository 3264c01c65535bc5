! issue: names that contain "interface"
! coverage: parallel; critical; parallel do
module interface_mod
  implicit none
  integer :: interface_count = 0, endinterface = 0
  interface interface_sum
    module procedure sum_interface
  end interface
contains
  subroutine sum_interface(interface)
    integer, intent(inout) :: interface
!$omp parallel num_threads(2)
!$omp critical
    interface = interface + 1
!$omp end critical
!$omp end parallel
  end subroutine
end module interface_mod
program interfaces
  use interface_mod
  implicit none
  integer :: interfacei
!$omp parallel do
  do interfacei = 1, 2
    endinterface = 3
  end do
  interface_count = 5
  call interface_sum(interface_count)
  print *, interface_count, endinterface
end program
