use super::*;
use crate::extract::extract;
use crate::lang::LANGUAGES;
use crate::record::SymbolKind;

/// A fit in few words.
fn said(fit: &Fit) -> String {
    let misfit = |misfit: &Misfit| match misfit {
        Misfit::TooFew { given, takes } => format!("{given} of {}", takes.least),
        Misfit::TooMany { given, takes } => format!("{given}, at most {:?}", takes.most.unwrap()),
        Misfit::Missing(name) => format!("lacks {name}"),
        Misfit::Unexpected(name) => format!("no {name}"),
        Misfit::Twice(name) => format!("twice {name}"),
        Misfit::Displaced { meant, taken } => format!("{meant} for {taken}"),
    };
    match fit {
        Fit::Fits => "fits".to_owned(),
        Fit::No(why) => misfit(why),
        Fit::Loosely(why) => format!("perhaps {}", misfit(why)),
        Fit::Unknown => "unknown".to_owned(),
    }
}

/// Whether the last use of `f` in a source fits all its definitions of that name; of a type `f`, its constructors.
fn judged(grammar: Grammar, source: &str) -> String {
    let record = extract(source.as_bytes(), grammar);
    let parsed = Parsed::of(grammar, source.as_bytes()).expect("parsed");
    let is_f = |name| record.names.get(name) == b"f";
    let mut overloads = Vec::new();
    for symbol in record.symbols.iter().filter(|symbol| is_f(symbol.name)) {
        match symbol.kind {
            SymbolKind::Class | SymbolKind::Struct => {
                match parsed.constructors(symbol.span.clone()) {
                    Some(all) => overloads.extend(all.into_iter().map(Some)),
                    None => overloads.push(None),
                }
            }
            _ => overloads.push(parsed.parameters(symbol.span.clone())),
        }
    }
    assert!(!overloads.is_empty(), "{grammar:?} {source}: no definition");
    let mut uses = record.occurrences.iter().filter(|found| is_f(found.name));
    let last = uses.next_back().expect("a use");
    match parsed.arguments(last.line, last.col) {
        Some(arguments) => said(&fit_any(&overloads, &arguments)),
        None => "no call".to_owned(),
    }
}

/// Cases of one language: what is defined, and calls with what is expected of each.
fn check(grammar: Grammar, cases: &[(&str, &[(&str, &str)])]) {
    let mut wrong = Vec::new();
    for (definition, calls) in cases {
        for (call, expected) in *calls {
            let source = match definition.contains("CALL") {
                true => definition.replace("CALL", call),
                false => format!("{definition}\n{call}\n"),
            };
            let found = judged(grammar, &source);
            if found != *expected {
                wrong.push(format!("{source}\n  {found:?}, expected {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{grammar:?}\n{}", wrong.join("\n"));
}

#[test]
fn python() {
    check(
        Grammar::Python,
        &[
            (
                "def f(a, b=1, *, c, d=2): pass",
                &[
                    ("f(1, c=2)", "fits"),
                    ("f(1, 2, c=3, d=4)", "fits"),
                    ("f(c=2)", "lacks a"),
                    ("f(1)", "lacks c"),
                    ("f(1, 2, 3, c=1)", "3, at most 2"),
                    ("f(1, e=1, c=2)", "no e"),
                    ("f(1, a=1, c=2)", "twice a"),
                    ("f(*x, **y)", "fits"),
                    ("f(b=1, c=1, d=1)", "lacks a"),
                    ("g(f)", "no call"),
                    ("functools.partial(f, 1)", "no call"),
                ],
            ),
            (
                "def f(a, /, b: int, *args: str, **kw: int) -> int: pass",
                &[
                    ("f(1, 2, 3, 4, x=1)", "fits"),
                    ("f(1)", "1 of 2"),
                    ("f(1, b=2)", "fits"),
                ],
            ),
            (
                "class A:\n    def f(self, a, b=1): pass\n",
                &[
                    ("x.f(1)", "fits"),
                    ("x.f()", "0 of 1"),
                    ("x.f(1, 2, 3)", "3, at most 2"),
                    ("A.f(x, 1, 2)", "fits"),
                    ("A.f(x, 1, 2, 3)", "4, at most 2"),
                    ("super().f(1, 2, 3)", "3, at most 2"),
                ],
            ),
            (
                "class A:\n    @staticmethod\n    def f(a): pass\n",
                &[("A.f(1)", "fits"), ("A.f(1, 2)", "2, at most 1")],
            ),
            (
                "class A:\n    @classmethod\n    def f(cls, a): pass\n",
                &[("A.f(1)", "fits"), ("A.f()", "0 of 1")],
            ),
            (
                "class A:\n    @property\n    def f(self): pass\n",
                &[("x.f(1)", "unknown")],
            ),
            ("@app.route('/')\ndef f(a): pass", &[("f()", "unknown")]),
            (
                "@functools.lru_cache(maxsize=None)\ndef f(a): pass",
                &[("f()", "0 of 1")],
            ),
            (
                "class f:\n    def __init__(self, a): pass\n",
                &[("f(1)", "fits"), ("f()", "0 of 1")],
            ),
            (
                "class A:\n    def __init__(self, a)\n        self.a = a\n\n    def g(self):\n        try:\n            h()\n        \
                 except E, e:\n            pass\n        return True if a else return b\n\n\nclass B(A):\n    def f(self):\n        pass\n",
                &[("B().f()", "unknown")],
            ),
            ("@dataclass\nclass f:\n    a: int\n", &[("f()", "unknown")]),
            (
                "f = lambda a, b=1: a",
                &[("f()", "0 of 1"), ("f(1)", "fits")],
            ),
        ],
    );
}

#[test]
fn typescript_and_javascript() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "export function f<T>(this: X, a: number, b?: string, c = 1): void {}",
            &[
                ("f(1)", "fits"),
                ("f<number>(1, 'a', 2)", "fits"),
                ("f()", "0 of 1"),
                ("f(1, 2, 3, 4)", "4, at most 3"),
                ("f(...x)", "fits"),
                ("f(`a`)", "fits"),
                ("f(`a`, `b ${c}`, 2, 3)", "4, at most 3"),
                ("f`a ${1}`", "no call"),
                ("f.call(x)", "no call"),
            ],
        ),
        (
            "export const f = async ({ a }: A, ...b: number[]) => 1;",
            &[("f(x)", "fits"), ("f()", "0 of 1"), ("f(x, 1, 2)", "fits")],
        ),
        ("const f: G = (a) => 1;", &[("f(1, 2)", "unknown")]),
        (
            "class A { f(a: void, b?: number) {} }",
            &[("x?.f()", "fits"), ("x!.f(1, 2, 3)", "3, at most 2")],
        ),
        (
            "class f { constructor(private a: number) {} }",
            &[("new f(1)", "fits"), ("new f()", "0 of 1")],
        ),
        ("class f {}", &[("new f(1)", "unknown")]),
        (
            "function f(a: number): void;\nfunction f(a: number, b: string): void;\nfunction f(a: any, b?: any) {}",
            &[("f(1, 2)", "fits"), ("f(1, 2, 3)", "3, at most 1")],
        ),
        ("class A { get f() { return 1 } }", &[("x.f(1)", "unknown")]),
        (
            "const o = { f(a) {} };",
            &[("o.f(1, 2)", "perhaps 2, at most 1")],
        ),
    ];
    check(Grammar::TypeScript, cases);
    check(Grammar::Tsx, &cases[1..2]);
    check(
        Grammar::JavaScript,
        &[
            (
                "function f(a, b = 1, ...c) {}",
                &[("f()", "perhaps 0 of 1"), ("f(1, 2, 3)", "fits")],
            ),
            (
                "class A { f(a) {} }",
                &[("this.f(1, 2)", "perhaps 2, at most 1")],
            ),
            (
                "const f = a => a;",
                &[("f()", "perhaps 0 of 1"), ("f(1)", "fits")],
            ),
        ],
    );
    check(
        Grammar::Vue,
        &[(
            "<template><a/></template>\n<script lang=\"ts\">\nfunction f(a: number) {}\nCALL\n</script>",
            &[("f()", "0 of 1"), ("f(1)", "fits")],
        )],
    );
}

#[test]
fn go() {
    check(
        Grammar::Go,
        &[
            (
                "package a\nfunc f[T any](a, b int, c ...string) (int, error) { return 0, nil }\nfunc x() { CALL }",
                &[
                    ("f(1, 2)", "fits"),
                    ("f[int](1, 2, \"a\", \"b\")", "fits"),
                    ("f(1)", "1 of 2"),
                    ("f(g())", "unknown"),
                    ("f(len(x))", "1 of 2"),
                    ("f(1, 2, xs...)", "fits"),
                    ("f(1, xs...)", "1 of 2"),
                    ("f(1, 2, 3, xs...)", "3, at most 2"),
                    ("g(f)", "no call"),
                ],
            ),
            (
                "package a\ntype R struct{}\nfunc (r *R) f(int, string) {}\nfunc x() { CALL }",
                &[
                    ("r.f(1, \"\")", "fits"),
                    ("r.f(1)", "1 of 2"),
                    ("(*R).f(r, 1, \"\")", "fits"),
                ],
            ),
        ],
    );
}

#[test]
fn rust() {
    check(
        Grammar::Rust,
        &[
            (
                "struct A; impl A { pub async fn f(&self, a: u8, (b, c): (u8, u8)) -> u8 { CALL } }",
                &[
                    ("self.f(1, x)", "fits"),
                    ("self.f(1)", "1 of 2"),
                    ("assert_eq!(self.f(1, (x, y),), 3)", "fits"),
                    ("assert_eq!(3, self.f(1))", "1 of 2"),
                    ("assert!(A::f(1, x) < 2)", "2 of 3"),
                    ("assert!(self.f(a < b, c))", "no call"),
                    ("assert!(self.f(|a, b| 1))", "no call"),
                    ("A::f(&a, 1, x)", "fits"),
                    ("A::f(1, x)", "2 of 3"),
                    ("A::f(1, x, 2, 3)", "4, at most 3"),
                    ("a.map(A::f)", "no call"),
                ],
            ),
            (
                "fn f<T>(a: T) {}\nfn x() { CALL }",
                &[("f::<u8>(1)", "fits"), ("m::f(1, 2)", "2, at most 1")],
            ),
            (
                "trait T { fn f(self: Box<Self>, _: u8); }\nfn x() { CALL }",
                &[("a.f(1)", "fits"), ("a.f()", "0 of 1")],
            ),
        ],
    );
}

#[test]
fn languages_of_the_jvm() {
    check(
        Grammar::Java,
        &[
            (
                "class A { int f(final int a, String... b) { CALL } }",
                &[
                    ("f(1);", "fits"),
                    ("this.<T>f(1, \"a\", \"b\");", "fits"),
                    ("A.f();", "0 of 1"),
                    ("x.map(A::f);", "no call"),
                ],
            ),
            (
                "class A { @Override public int f(int a) { CALL } }",
                &[("f();", "0 of 1")],
            ),
            (
                "class A { int f(int a) { } int f(int a, int b) { CALL } }",
                &[("f(1);", "fits"), ("f(1, 2, 3);", "3, at most 1")],
            ),
        ],
    );
    check(
        Grammar::Kotlin,
        &[
            (
                "class A { suspend fun f(a: Int, b: String = x, c: () -> Unit): Int { CALL } }",
                &[
                    ("f(1, c = x)", "fits"),
                    ("f(1) { 2 }", "fits"),
                    ("a?.f(1, \"\") { 2 }", "fits"),
                    ("f { 1 }", "1 of 2"),
                    ("f(1, d = 2) { }", "no d"),
                    ("f(a = 1, \"\", x)", "fits"),
                    ("f(1, \"\", x, 3)", "4, at most 3"),
                ],
            ),
            (
                "fun String.f(vararg a: Int) = a\nfun x() { CALL }",
                &[("\"\".f(1, 2, 3)", "fits"), ("\"\".f(*x)", "fits")],
            ),
            (
                "class f(val a: Int, b: Int = 1)\nfun x() { CALL }",
                &[("f(1)", "fits"), ("f()", "0 of 1"), ("f(1, b = 2)", "fits")],
            ),
        ],
    );
    check(
        Grammar::Scala,
        &[
            (
                "object A { def f(a: Int, b: Int = 1)(c: String*)(using d: D): Int = 1\n CALL }",
                &[
                    ("f(1)(\"a\")", "fits"),
                    ("f(1, b = 2)()", "fits"),
                    ("x.f()", "0 of 1"),
                    ("f[Int](1, 2, 3)", "3, at most 2"),
                    ("f { x }", "fits"),
                ],
            ),
            (
                "object A { def f: Int => Int = 1\n CALL }",
                &[("f(1)", "unknown")],
            ),
        ],
    );
}

#[test]
fn csharp() {
    check(
        Grammar::CSharp,
        &[
            (
                "class A { int f(ref int a, string b = \"x\", params int[] c) { CALL } }",
                &[
                    ("f(1);", "fits"),
                    ("this.f(1, b: \"2\");", "fits"),
                    ("f(1, \"\", 3, 4);", "fits"),
                    ("f(1, c: x);", "fits"),
                    ("f(a: 1, \"\");", "fits"),
                    ("f();", "0 of 1"),
                    ("f(1, d: 2);", "no d"),
                    ("x?.f(1);", "fits"),
                ],
            ),
            (
                "static class A { static int f(this int x, int a) { CALL } }",
                &[
                    ("x.f(1);", "fits"),
                    ("x.f(1, 2);", "2, at most 1"),
                    ("A.f(x, 1);", "fits"),
                    ("A.f<int>(x, 1, 2);", "3, at most 1"),
                ],
            ),
            (
                "class f { public f(int a) {} void x() { CALL } }",
                &[("new f(1);", "fits"), ("new f();", "0 of 1")],
            ),
        ],
    );
}

#[test]
fn scripts() {
    check(
        Grammar::Php,
        &[
            (
                "<?php\nfunction f(int &$a, ?string $b = null) {}\n",
                &[
                    ("f(1);", "fits"),
                    ("f(b: 1, a: 2);", "fits"),
                    ("f(1, 2, 3);", "perhaps 3, at most 2"),
                    ("f();", "0 of 1"),
                    ("f(...$x);", "fits"),
                    ("f(...);", "no call"),
                    ("f(1, c: 2);", "no c"),
                ],
            ),
            (
                "<?php\nclass f { function __construct(private int $a) {} }\n",
                &[("new f(1);", "fits"), ("new f();", "0 of 1")],
            ),
            (
                "<?php\nclass A { static function f(...$a) {} }\n",
                &[("A::f(1, x: 2);", "fits")],
            ),
        ],
    );
    check(
        Grammar::Ruby,
        &[
            (
                "def f(a, b = 1, *c, d, e:, g: 2, &i)\nend",
                &[
                    ("f(1, 2, e: 3)", "fits"),
                    ("f(1, 2, 3, 4, e: 3, g: 4) { 1 }", "fits"),
                    ("f(1, e: 3)", "1 of 2"),
                    ("f(1, 2, h: 1, e: 2)", "no h"),
                    ("x.f(*y, **z)", "fits"),
                    ("x.f 1, 2", "unknown"),
                ],
            ),
            (
                "def f(a, options = {})\nend",
                &[
                    ("f(1, b: 2)", "fits"),
                    ("f(1, :b => 2, \"c\" => 3)", "fits"),
                    ("f(1, 2, b: 3)", "3, at most 2"),
                    ("x.f", "0 of 1"),
                ],
            ),
            ("def f(...)\nend", &[("f(1, a: 2)", "fits")]),
        ],
    );
    check(
        Grammar::Lua,
        &[
            (
                "local function f(a, b) end",
                &[
                    ("f(1)", "perhaps 1 of 2"),
                    ("f(1, ...)", "unknown"),
                    ("f(1, 2)", "fits"),
                ],
            ),
            (
                "function M:f(a) end",
                &[("m:f(1)", "fits"), ("M.f(m, 1)", "fits")],
            ),
        ],
    );
    check(
        Grammar::Elixir,
        &[(
            "defmodule A do\n  def f(a, b \\\\ 1) when a > 1, do: a\n  def x do\n    CALL\n  end\nend",
            &[
                ("f(1)", "fits"),
                ("A.f(1, 2)", "fits"),
                ("1 |> f(2)", "fits"),
                ("1 |> f(2, 3)", "3, at most 2"),
                ("f()", "0 of 1"),
                ("&f/2", "no call"),
            ],
        )],
    );
}

#[test]
fn swift_and_dart() {
    check(
        Grammar::Swift,
        &[
            (
                "func f(x y: Int, _ z: String..., w: () -> Void = {}) async -> Int { return 1 }\nfunc t() { CALL }",
                &[
                    ("f(x: 1, \"a\", \"b\")", "fits"),
                    ("f(x: 1) { 1 }", "fits"),
                    ("f()", "lacks x"),
                    ("f(y: 1)", "no y"),
                ],
            ),
            (
                "class A { func f(a: Int, b: Int = 2) {} }\nfunc t() { CALL }",
                &[("a?.f(a: 1)", "fits"), ("a.f(1)", "1, at most 0")],
            ),
        ],
    );
    check(
        Grammar::Dart,
        &[
            (
                "void f(int a, {int b = 1, required int c}) {}\nvoid main() { CALL }",
                &[
                    ("f(1, c: 2);", "fits"),
                    ("f(1);", "lacks c"),
                    ("f(1, 2, c: 3);", "2, at most 1"),
                    ("f(1, c: 2, d: 3);", "no d"),
                ],
            ),
            (
                "class A { static int f(int a, [int b = 1, c]) => 1; }\nvoid main() { CALL }",
                &[
                    ("A.f(1, 2, 3);", "fits"),
                    ("x?.f();", "0 of 1"),
                    ("x..f(1, 2, 3, 4);", "4, at most 3"),
                ],
            ),
        ],
    );
}

#[test]
fn c_and_cpp() {
    check(
        Grammar::C,
        &[
            (
                "static int *f(int a, char *b, ...) { return 0; }\nint x(void) { CALL }",
                &[("f(1, 2, 3);", "fits"), ("f(1);", "1 of 2")],
            ),
            (
                "int f(int a, char *b);\nint x(void) { CALL }",
                &[
                    ("f(1);", "1 of 2"),
                    ("f(1, 2, 3);", "3, at most 2"),
                    ("g(f);", "no call"),
                ],
            ),
            (
                "int f(void);\nint x(void) { CALL }",
                &[("f(1);", "1, at most 0")],
            ),
            ("int f();\nint x(void) { CALL }", &[("f(1);", "unknown")]),
            (
                "int f(a, b) int a; int b; { }\nint x(void) { CALL }",
                &[("f(1);", "unknown")],
            ),
        ],
    );
    check(
        Grammar::Cpp,
        &[
            (
                "class A { virtual int f(int a, int b = 1) const; int x() { CALL } };",
                &[
                    ("this->f(1);", "fits"),
                    ("A::f();", "0 of 1"),
                    ("f(1, 2, 3);", "3, at most 2"),
                ],
            ),
            (
                "template <class... U> void f(int a, U&&... u);\nint x() { CALL }",
                &[("f<int>(1, 2, 3);", "fits"), ("f(u...);", "fits")],
            ),
            (
                "int A::f(int a, int b) { CALL }",
                &[("f(1);", "unknown"), ("f(1, 2, 3);", "3, at most 2")],
            ),
        ],
    );
}

#[test]
fn clauses_are_one_definition() {
    let source = "defmodule A do\n  def f(%{a: 1}, b), do: b\n  def f(a, b), do: a\n  def x do\n    CALL\n  end\nend";
    check(
        Grammar::Elixir,
        &[(source, &[("f(1)", "1 of 2"), ("f(1, 2)", "fits")])],
    );
}

#[test]
fn one_that_cannot_be_read_makes_it_unknown() {
    let source = "class A { int f(int a) { } int f(int a, int b) { CALL } }";
    let parsed = Parsed::of(
        Grammar::Java,
        source.replace("CALL", "f(1, 2, 3);").as_bytes(),
    );
    let parsed = parsed.expect("parsed");
    let call = parsed.arguments(1, 49).expect("a call");
    let known = parsed.parameters(10..26);
    assert_eq!(
        said(&fit_any(std::slice::from_ref(&known), &call)),
        "3, at most 1"
    );
    assert_eq!(fit_any(&[known, None], &call), Fit::Unknown);
    assert_eq!(fit_any(&[], &call), Fit::Unknown);
}

#[test]
fn results_are_where_they_are_written() {
    let source = "def f(a) -> dict[str, int]: pass";
    let parsed = Parsed::of(Grammar::Python, source.as_bytes()).expect("parsed");
    let range = parsed.result(0..source.len() as u32).expect("a result");
    assert_eq!(
        &source[range.start as usize..range.end as usize],
        "dict[str, int]"
    );
}

/// Kinds that rows name and no grammar with these rows has.
#[test]
fn rows_name_what_a_grammar_has() {
    let described = || {
        LANGUAGES.iter().filter_map(|language| {
            let Reader::Tree(reader) = &language.reader else {
                return None;
            };
            Some((language.grammar, language.calls?, (reader.parser.make?)()))
        })
    };
    let mut missing = Vec::new();
    for (grammar, rows, _) in described() {
        let related: Vec<_> = described()
            .filter(|(_, other, _)| other.definitions == rows.definitions)
            .map(|(.., made)| made)
            .collect();
        let parts = [
            rows.definitions,
            rows.wraps,
            rows.types_called,
            rows.calls,
            rows.passes,
            rows.members,
            rows.paths,
        ];
        let of_parts = parts
            .concat()
            .into_iter()
            .map(|row| row.split_once('.').map_or("", |it| it.0));
        let takes = rows
            .takes
            .iter()
            .flat_map(|(_, kinds)| kinds.iter().copied());
        let gives = rows
            .gives
            .iter()
            .flat_map(|(_, kinds)| kinds.iter().copied());
        for kind in of_parts
            .chain(takes)
            .chain(gives)
            .chain(rows.trailing.iter().copied())
        {
            let has = |made: &tree_sitter::Language| made.id_for_node_kind(kind, true) != 0;
            if !related.iter().any(has) {
                missing.push(format!("{grammar:?} {kind}"));
            }
        }
    }
    assert!(missing.is_empty(), "misspelt or gone: {missing:#?}");
}
