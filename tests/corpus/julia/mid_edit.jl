module Half

struct Point
    x::Int

function area(p::Point)
    p.x * p.

whole(x) = x + 1

function open(
