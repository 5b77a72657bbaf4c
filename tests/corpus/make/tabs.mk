# Below a variable a tab begins no recipe.
DEB_NAME = file
ifndef IS_RELEASE
	IS_RELEASE = true
	DEB_VERSION ?= $(shell cat version)
endif

build: $(DEB_NAME)
ifdef IS_RELEASE
	NAME = file ./build
endif
	./package
