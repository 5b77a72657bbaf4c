!> Queues that keep their items in order.
module shop_queue
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use shop_log, only: log_info => info, log_level
  use shop_heap
  implicit none
  private
  include 'limits.inc'

  public :: queue, push, area
  integer, parameter, public :: max_items = 1024
  integer, parameter :: dp = kind(1.0d0)
  real(dp), save :: total = 0.0_dp
  logical, private :: debug

  !> A thing that holds items.
  type, abstract, public :: container
    integer :: size = 0
  contains
    procedure(size_interface), deferred :: count_items
    procedure :: describe
  end type container

  type, extends(container) :: queue
    integer, allocatable :: items(:)
    character(len=:), allocatable :: name
    type(node), pointer :: head => null()
  contains
    private
    procedure, public :: push => queue_push
    procedure :: count_items => queue_count
    generic :: operator(+) => merge_queues
    final :: destroy
  end type

  type :: node
    integer :: value
  end type node

  enum, bind(c)
    enumerator :: low = 0, high = 9
  end enum

  interface area
    module procedure area_circle
    procedure area_square
  end interface area

  interface operator(.plus.)
    module procedure merge_queues
  end interface

  abstract interface
    function size_interface(self) result(n)
      import :: container
      class(container), intent(in) :: self
      integer :: n
    end function
  end interface

  interface
    module subroutine later(x)
      integer, intent(in) :: x
    end subroutine later
  end interface

contains

  !> Adds an item.
  subroutine queue_push(self, item, stat)
    class(queue), intent(inout) :: self
    integer, intent(in) :: item
    integer, intent(out), optional :: stat
    integer :: i, count
    real(dp) :: weights(10)
    count = size(self%items)
    if (count >= max_items) then
      call log_info('full')
      return
    end if
    do i = 1, count
      if (self%items(i) == item) exit
      weights(i) = total * i
    end do
    self%items = [self%items, item]
    self%head%value = item
    call self%describe()
    call helper(count, verbose=.true.)
    if (present(stat)) stat = 0
    print *, 'pushed', item
    associate (n => self%size)
      n = n + 1
    end associate
    select type (self)
    type is (queue)
      total = total + 1
    end select
  contains
    subroutine helper(n, verbose)
      integer, intent(in) :: n
      logical, intent(in) :: verbose
      if (verbose) write(*, *) n
    end subroutine helper
  end subroutine queue_push

  pure function area_circle(radius) result(res)
    real(dp), intent(in) :: radius
    real(dp) :: res
    res = 3.14_dp * radius**2
  end function area_circle

  elemental real(dp) function area_square(side)
    real(dp), intent(in) :: side
    area_square = side * side
  end function

  recursive integer function factorial(n) result(f)
    integer, value :: n
    if (n <= 1) then
      f = 1
    else
      f = n * factorial(n - 1)
    end if
  end function factorial

end module shop_queue

submodule (shop_queue) shop_queue_impl
contains
  module procedure later
    print *, x
  end procedure later
end submodule shop_queue_impl

program main
  use shop_queue
  implicit none
  type(queue) :: q
  integer :: status
  call q%push(1, status)
  q = queue(items=[1, 2])
  print *, area(2.0d0), factorial(5)
  stop
end program main
