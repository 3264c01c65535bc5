! A main program without a PROGRAM statement, in which OPARI2 finds no place for declarations.
integer :: i, s
s = 0
!$omp parallel do reduction(+:s)
do i = 1, 9
   s = s + i
end do
if (s == 45) print '(a)', 'done'
end
