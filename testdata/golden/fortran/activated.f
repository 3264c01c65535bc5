      program p
!P$   integer i
CP$   i =
*p$  & 2
cP$10 print *, i
c$omp barrier
cprintf$
      end
