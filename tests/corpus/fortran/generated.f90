#:include 'common.fypp'
#! Kinds.
#:set KINDS = [('real', 's'), &
  & ('dble', 'd')]

!> Wrappers.
module wrappers
  use accuracy, only : rdp
  implicit none
  private
  public :: solve

  interface solve
    #:for TYPE, KIND in KINDS
    module procedure solve_${KIND}$
    #:endfor
  end interface solve

  interface operator(+)
    module procedure add
  end interface operator(+)

contains

  #:for TYPE, KIND in KINDS
  !> Solves.
  subroutine solve_${KIND}$(aa, bb)
    ${TYPE}$, intent(inout) :: aa
    integer, intent(in) :: bb

    @:ASSERT(bb > 0)
    #:if KIND == 's'
    call ${KIND}$gesv(aa, bb)
    #:else
    call d${KIND}$_gesv(aa, bb)
    #:endif
  end subroutine solve_${KIND}$

  #:endfor
  !> The last one.
  function size_of(aa) result(res)
    integer, intent(in) :: aa
    integer :: res
    $:made()
    res = aa
  end function size_of

end module wrappers
