#!/usr/bin/env escript
%% -*- erlang -*-
main([Name]) ->
    io:format("Hello ~s~n", [Name]);
main(_) ->
    halt(1).
