//! What decorators make of functions of Python.

use crate::harness::TestRepo;
use crate::typed::uses_in;

/// A library of commands, whose methods have names that another class has, too.
const LIBRARY: &str = "\
import typing as t

F = t.TypeVar('F', bound=t.Callable[..., t.Any])

class Command:
    def run(self): ...

class Group(Command):
    def command(self, name: str | None = None) -> t.Callable[[F], Command]: ...
    def keep(self, rule: str) -> t.Callable[[F], F]: ...

class Other:
    def command(self): ...
    def keep(self): ...
    def run(self): ...

@t.overload
def group(name: t.Callable[..., t.Any]) -> Group: ...
@t.overload
def group(name: str | None = None) -> t.Callable[[F], Group]: ...
def group(name=None):
    ...

def passes(f: F) -> F: ...

class Lazy:
    def __init__(self, f): ...
    def __get__(self, obj, owner): ...
    def run(self): ...

class Eager:
    def __init__(self, f): ...
    def run(self): ...
";

const PROGRAM: &str = "\
from library import Command, Eager, Lazy, Other, group, passes
import library

@group()
def cli(): ...

@library.group
def bare() -> Other: ...

@cli.command()
def sub() -> Other: ...

@cli.keep('x')
def kept() -> Other: ...

@passes
def passed() -> Other: ...

@Eager
def eager() -> Other: ...

class Has:
    @Lazy
    def lazy(self) -> Other: ...

def use(has: Has):
    bare.command()
    sub.run()
    kept().run()
    passed().run()
    eager.run()
    has.lazy.run()
    cli.run()
    sub().run()
";

fn program() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("library.py", LIBRARY)
        .write("program.py", PROGRAM);
    repo.commit("commands");
    repo
}

#[test]
fn a_function_is_the_object_that_its_decorator_makes() {
    let repo = program();
    let uses = |target| uses_in(&repo, "program.py", target);
    let sure = |target| {
        let mut all = uses(target);
        all.retain(|one| !one.ends_with("ambiguous"));
        all
    };
    assert_eq!(sure("Group.command"), ["10 resolved", "27 resolved"]);
    assert_eq!(sure("Command.run"), ["28 resolved", "33 resolved"]);
    assert_eq!(sure("Eager.run"), ["31 resolved"]);
    assert_eq!(sure("Other.command"), [""; 0]);
    // What leaves a function as it is, or is asked for something else, leaves what it gives.
    assert_eq!(sure("Group.keep"), ["13 resolved"]);
    assert_eq!(
        sure("Other.run"),
        ["29 resolved", "30 resolved", "32 resolved"]
    );
    // Calling the object is not calling the function.
    assert_eq!(uses("Other.run").len(), 4, "{:?}", uses("Other.run"));
}
