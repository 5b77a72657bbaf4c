-module({{name}}_queue).

-export([init/1, format/1]).

-define(NAME, {{name}}).

%% Begins.
-spec init(state()) -> {ok, state()}.
init(State) ->
    {ok, add(State, [{name, ?NAME}, {text, "{{desc}}"}])}.

format(Reason) ->
    io_lib:format("~p", [Reason]).
