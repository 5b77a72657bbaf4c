"""A small job queue: what names hold, and what is known of their values."""
import importlib
from enum import Enum
from typing import Any, Callable, Final, Iterator, Mapping, Optional, Sequence, cast

from .store import Store, connect

plugin = importlib.import_module("queue.plugin")
_queue: Optional["Queue"] = None
_default = None
make_job = lambda name: Job(name)
LIMIT: Final = 10

__all__ = store.__all__ + ["Queue", "Job"]
__all__ += ("State",)
__all__.extend(["get_queue"])

try:
    import ujson
    loads = ujson.loads
except ImportError:
    loads = None

for module in plugin.modules:
    module.load()

with connect("main") as shared:
    shared.ping()


class State(Enum):
    READY = "ready"
    DONE = "done"

    def label(self):
        return self.value.title()


class Job:
    name: str
    retries: int = 3
    parent: "Job | None" = None
    on_done: Callable[["Job"], None]

    def __init__(self, name, store: Store, *tags: Tag, level=1, **extra: Any):
        self.name = name
        self.store = store
        self.tags: list[Tag] = list(tags)
        self.first, self.second = Timer(), store.timer
        self.state = State.READY
        self.state = State.DONE

    @property
    def timer(self):
        return self.first

    @timer.setter
    def timer(self, value):
        self.first = value
        self.changed = True

    def then(self, action):
        if action is None:
            return False
        self.later = action

        def run():
            self.ran = action(self)
        run()
        return self

    @classmethod
    def build(cls, name: str) -> "Job":
        return cls(name, store=Store())

    @staticmethod
    def parse(text):
        kind, _, rest = text.partition(":")
        return JobParser(kind).feed(rest)

    def __enter__(job):
        return job


def get_queue():
    global _default
    if _default is None:
        _default = Queue(name="default", limit=LIMIT)
    return _default


def drain(jobs: Sequence[Job], by_name: dict[str, Job], kind: type[Job] = Job):
    job = Job("first", None)
    job.then(print)
    job = job.parent
    count = 0
    count += 1
    for i, each in enumerate(jobs):
        each.then(i)
    for name, each in by_name.items():
        each.timer.stop(name)
    for each in by_name.values():
        each.then(None)
    names = [each.name for each in jobs if each]
    made = [Job(name) for name in names]
    totals = {k: Total(v) for k, v in zip(names, made)}
    with open("log") as log, Session() as session:
        log.write(session.token)
    try:
        made[0].then(kind)
    except (KeyError, ValueError) as error:
        print(error.args)
    except JobError as failure:
        failure.report()
    if (found := lookup(names)) and found.ready:
        found.go()
    last = made[-1] or job
    chosen = last if count else job
    del chosen
    clock = cast(Clock, session.clock)
    return made


def nested(flag):
    seen = 0
    value = None

    def step(by):
        nonlocal seen
        seen += by
        value = Inner(by)
        return value

    step = traced(step)
    value = flag and Outer(flag)
    key = lambda item: item.name
    return sorted(flag, key=key)


async def fetch(client: "Client", urls: Iterator[str]) -> Mapping[str, Page]:
    page = await client.get(urls)
    body = (await client.get(urls)).body
    ", ".join(urls)
    load(page).name
    page.parts[0].name
    super(Job, page).then(body)
    super(Job, self).then(body)
    return {url: page for url in urls}


def inspect(node):
    match node:
        case Leaf(value=v, size=Size(w)) if v:
            return v
        case Branch() as branch:
            return branch.left
        case [head, *tail]:
            return head
        case {"kind": kind, **others}:
            return kind
        case State.DONE | None:
            return None
        case other:
            return other


def first[T: Job, *Ts](items: list[T], *rest: *Ts) -> T:
    return items[0]


class Box[V]:
    def get(self) -> V: ...


type Table[K] = dict[K, Job]
