%%% Queues that keep their items in order.
-module(queue).
-behaviour(gen_server).
-author("someone").

-include("queue.hrl").
-include_lib("kernel/include/logger.hrl").
-import(lists, [map/2, foldl/3]).
-export([start_link/1, push/2, size/1]).
-export_type([queue/0]).
-compile([export_all, nowarn_export_all]).

-define(MAX_ITEMS, 1024).
-define(LOG(Level, Text), logger:Level(Text)).

-record(state, {
    items = [] :: list(),
    limit :: pos_integer(),
    owner
}).

-type queue() :: #state{}.
-opaque handle() :: pid().
-callback handle_push(Item :: term(), State :: queue()) -> ok | {error, term()}.

%% Makes a queue.
-spec start_link(pos_integer()) -> {ok, pid()}.
start_link(Limit) ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [Limit], []).

%% @doc Adds an item.
-spec push(queue(), term()) -> queue().
push(#state{items = Items, limit = Limit} = State, Item) when length(Items) < Limit ->
    Count = length(Items),
    NewItems = [Item | Items],
    ?LOG(info, "pushed"),
    io:format("~p~n", [Count]),
    helper(Count),
    Fun = fun(X) -> X + Count end,
    Squares = [Fun(Y) || Y <- Items, Y > 0],
    lists:foreach(fun helper/1, Squares),
    lists:foreach(fun erlang:display/1, Squares),
    State#state{items = NewItems};
push(State, _Item) ->
    {error, full, State}.

size(#state{items = Items}) ->
    case Items of
        [] -> 0;
        [_ | Rest] -> 1 + length(Rest)
    end.

init([Limit]) ->
    process_flag(trap_exit, true),
    {ok, #state{limit = Limit, items = ?EMPTY}}.

handle_call({push, Item}, From, State) ->
    try push(State, Item) of
        New -> {reply, ok, New}
    catch
        error:Reason:Stack ->
            {reply, {error, Reason, Stack, From}, State}
    end;
handle_call(stop, _From, State) ->
    receive
        {done, Pid} when is_pid(Pid) -> Pid ! ok
    after ?MAX_ITEMS ->
        ok
    end,
    {stop, normal, State}.

helper(0) -> zero;
helper(N) when N > 0 -> N.

-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").

push_test() ->
    ?assertEqual(1, size(push(#state{limit = 3}, a))).
-endif.
