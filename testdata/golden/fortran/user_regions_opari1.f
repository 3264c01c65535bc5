      program p
!POMP$ INST INIT
CPOMP$ INST BEGIN(Work)
      call one
*pomp$ inst begin(inner)
c$pomp inst end(inner)
cpomp$ inst altend(Work)
*$POMP INST END(Work)
      end program
