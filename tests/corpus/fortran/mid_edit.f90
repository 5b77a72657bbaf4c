module half
contains
  subroutine area(w, h)
    real, intent(in) :: w, h
    print *, w *
  end subroutine area

  function whole(x) result(y)
    real :: x, y
    y = x +

  subroutine open_one(a
