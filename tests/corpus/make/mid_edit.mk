NAME = half
all: $(OBJS
	cc -o $@

define recipe
	echo $(NAME)

clean:
	rm -f
