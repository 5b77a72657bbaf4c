-module(mid_edit).
-export([area/2]).

area(W, H) ->
    W * H.

whole(X) ->
    Y = X +

half(A) ->
    A div 2.

open(
