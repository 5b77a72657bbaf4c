%% Macros that are parts of expressions.
-define(BEFORE, 1).

-if(?OTP_RELEASE >= 25).
-define(START(Name),
    case peer:start_link(#{name => Name}) of
        {ok, Pid, Node} ->
            register(Node, Pid);).
-define(STOP(Name),
        peer:stop(Name)).
-endif.

-define(AFTER, 2).

-record(held, {name, pid}).
-type held() :: #held{}.
