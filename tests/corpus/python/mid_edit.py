"""Cut in the middle."""
import os
from typing import List

LIMIT = 10


class App:
    name = "app"

    def __init__(self, debug):
        self.debug = debug

    def route(self, path: str) -> List[str]:
        prefix = os.path.join(path)
        return [prefix]


def helper():
    return App(LIMIT)

class Late:
    def oops(self, x=(
