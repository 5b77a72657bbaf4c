%% @author %%FULLNAME%%
%% @doc %%SITE%% supervisor.

-module(%%SITE%%_sup).
-author("%%FULLNAME%%").

-behaviour(supervisor).

-export([start_link/0, init/1]).

-define(SERVER, ?MODULE).

start_link() ->
    supervisor:start_link({local, ?SERVER}, ?MODULE, []).

init([]) ->
    {ok, {#{strategy => one_for_all}, []}}.
