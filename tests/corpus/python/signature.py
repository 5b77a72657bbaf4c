def route(
    path: Annotated[
        str,
        Doc(
            """
            The URL path, in plain words.
            """
        ),
    ] = "/",
):
    query = """
    select name from users
    """
    return f"{path!r:>{width}} {query}"


class Config:
    debug = False
    debug = True
    x, y = 1, 2

    # Above.
    def method(self): ...

    if True:
        def conditional(self): ...


x: int
lambda_value = lambda a, *b: a(b)
obj.attr = 1
for index in range(3):
    loop_var = index
