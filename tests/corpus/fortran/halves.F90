module halves
   implicit none
contains

subroutine add(a, n)
   real, intent(inout) :: a(:)
   integer, intent(in) :: n
   integer :: i
!$ real, allocatable :: b(:)

#ifndef _OPENMP
   associate (b => a)
#endif

   do i = 1, n
      b(i) = b(i) + 1
   end do

#ifndef _OPENMP
   end associate
#endif
end subroutine add

#ifdef WITH_TOTAL
pure function total(a) result(sum)
   real, intent(in) :: a(:)
   real :: sum
#if WIDTH > 4
   sum = count_wide(a)
#else
   sum = count_narrow(a)
#endif
end function total
#endif

end module halves
