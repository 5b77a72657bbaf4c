# What make reads and the grammar stumbles over, each of which cost all that follows.
ifneq (,)
    This makefile needs GNU Make.
endif

FILE_DATE ?= $$(date -d "@$${EPOCH:-$$(date +%s)}" +%Y)
ifeq ($(UNAME),Darwin)
	FILE_DATE_MAC = $(shell date "+%Y")
else ifdef IS_OLD
	FILE_OLD = yes
endif

test-file:: IS_TEST=1
test-file:: $(FILES)
ifneq ($(FILES),)
	@$(call run,$(call check,$(FILES)()))
endif
	@echo done

$(FILES) \
$(OTHER_FILES): | $(TMP)
ifndef QUIET
	@:> $@
endif

FILE_LAST = $(FILE_DATE)
last-file: test-file
