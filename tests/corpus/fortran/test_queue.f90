module test_queue
  use testdrive, only: new_unittest, unittest_type, error_type, check
  use shop_queue, only: queue
  implicit none
contains
  subroutine collect(testsuite)
    type(unittest_type), allocatable, intent(out) :: testsuite(:)
    testsuite = [new_unittest("push", test_push)]
  end subroutine collect

  subroutine test_push(error)
    type(error_type), allocatable, intent(out) :: error
    call check(error, 1, 1)
  end subroutine test_push
end module test_queue
