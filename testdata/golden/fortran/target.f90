      subroutine s(a)
      real a(10)
!$omp target enter data map(to: a)
!$omp target map(tofrom: a)
!$omp parallel do
      do i = 1, 10
        a(i) = 1
      end do
!$omp end target
!$omp target data map(a)
!$omp target update to(a)
!$omp target teams distribute parallel do
      do i = 1, 10
        a(i) = 1
      end do
!$omp end target data
!$omp target exit data map(from: a)
!$omp teams
!$omp distribute parallel do
      do i = 1, 10
        a(i) = 1
      end do
!$omp end teams
!$omp dispatch
      call one(a)
!$omp interop init(target: i)
      end subroutine
