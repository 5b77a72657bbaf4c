-ifndef(QUEUE_HRL).
-define(QUEUE_HRL, true).

-define(EMPTY, []).

-record(item, {
    name :: binary(),
    rank = 0
}).

-endif.
