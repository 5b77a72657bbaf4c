# What the grammar takes for more than it is, each of which cost all that follows.
FILE_LICENSE = BSD-2-Clause, BSD-3-Clause (vasprintf.c)
FILE_SITE = $(MIRROR:/=)/file-$(FILE_VERSION)

ifeq ($(STATIC):$(THREADS),:y)
FILE_OPTS = $(call strip-quotes,$(OPTS))
else ifneq ("$(OUT)","")
FILE_OPTS = --out=$(@D)
endif

FILE_TOOLS-$(WITH_GREP) += grep
FILE_LAST = \
	(a) \
	$(FILE_SITE)

define FILE_INSTALL
	install (all) $(FILE_LAST)
endef

install-file: $(FILE_LAST)
	@echo "(done)" $(FILE_TOOLS-y)
