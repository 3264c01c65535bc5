C issue: labelled DO without END DO
C coverage: parallel do; parallel; do; do; atomic
      program labels
      integer i, j, s, a(10)
      s = 0
c$omp parallel do reduction(+:s)
      do 10 i = 1, 10
      a(i) = i
   10 s = s + a(i)
c$omp parallel
c$omp do
      do 20, i = 1, 10
        if (a(i) .eq. 3) goto 20
        a(i) = a(i) + 1
   20 continue
c$omp enddo
*$omp do
      do 30 i = 1, 3
      do 30 j = 1, 3
c$omp atomic
        s = s + i * j
   30 continue
!$omp end parallel
      print *, s, a
      end
