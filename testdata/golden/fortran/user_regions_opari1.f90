program p
!POMP$ INST INIT
!POMP$ INST BEGIN(Work)
call one
  !pomp$ inst begin( &
  !pomp$ inner)
!Pomp$ inst end(inner)
!POMP$ INST END(Work)
! POMP$ in a comment is none
end program
