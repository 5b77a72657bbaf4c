"""Module docs."""
from __future__ import annotations

import os, sys as system
import os.path
import package.sub as sub
from . import sibling
from ..pkg.mod import (Name as Alias, other)
from lib import *

try:
    import json
except ImportError:
    json = None

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Service", "make"]

MAX_SIZE: int = 10
_private = 1
logger = logging.getLogger(__name__)
a, b = 1, 2


# Not documentation.

# Decorated, with a comment.
@cache
@app.get("/items", response_model=Item)
async def make(
    request: Request,
    *args: str,
    key: Optional[List["Item"]] = None,
    **kwargs: Any,
) -> dict[str, Item] | None:
    """Makes one.

    Deprecated: use Service.
    """
    def nested(x):
        return x + key
    value = getattr(request, "state")
    for i, item in enumerate(args):
        item.total += i
    with open(path) as handle:
        data = handle.read()
    print(f"total {value.count!r} of {MAX_SIZE}")
    return {k: v for k, v in data.items() if (n := len(v)) > 1}


class Base:
    pass


class Service(Base, Generic[T], metaclass=ABCMeta):
    """A service."""

    retries: int = 3
    name = "x"

    def __init__(self, store: Store) -> None:
        self.store = store
        super().__init__()

    @property
    def size(self):
        """Size of it."""
        return self.store.size + self._helper()

    @staticmethod
    def build(cls_name): return cls_name()

    @overload
    def get(self, x: int) -> int: ...

    @deprecated("no")
    def _helper(self): return lambda q: q.z

    class Meta:
        ordering = ["-name"]


def _hidden(): pass


def test_service():
    assert Service(None).size == 0


class TestService:
    def test_it(self): ...
    def helper(self): ...


type Pair[T] = tuple[T, T]


def match_it(command):
    match command:
        case Point(x=0, y=why) if why > 0:
            return why
        case [first, *others]:
            return first
        case {"key": val}:
            return val
