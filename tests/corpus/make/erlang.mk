# Commands of a shell in values, and texts in another language.
relpath = $(shell perl -e 'use File::Spec; print File::Spec->abs2rel(@ARGV) . "\n"' $1 $2)
ref = {$(shell (git -C $(DEPS_DIR)/$1 show-ref "heads/$2" && echo branch) || echo ref),"$2"}

define tpl_supervisor
-module($(n)).
-behavior(supervisor).
init([]) ->
	Procs = [{id, {a, b, []}, permanent}],
	{ok, {{one_for_one, 1, 5}, Procs}}.
endef

define tpl_handler
'use strict'; # ${n} {
endef

SOURCES := $(wildcard src/*.erl)

compile: $(SOURCES)
	$(CC) $(SOURCES)
