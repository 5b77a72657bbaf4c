//! What functions and objects are that stand where a type says what is expected there.

use crate::harness::TestRepo;
use crate::typed::uses_in as uses;

const LIB: &str = "\
export class Context { env = ''; req: Req = new Req() }
export class Other { env = '' }
export class Req { path = '' }
export type Handler = (c: Context, next: () => Promise<void>) => void
export interface Route {
  (path: string, handler: Handler): void
  (path: string, ...handlers: [Handler, Handler]): void
}
export class App {
  get!: Route
  each(item: (item: Req, n: number) => void) { let local: Other }
  none() { return (other: Other) => other }
  some<T extends Req>(one: T, f: (x: T, y: Req) => void, ...rest: Other[]) {}
  maker!: () => Req
}
export interface Visitor {
  enter(node: Req): void
  leave: (node: Other) => void
  options: { deep: boolean }
}
export function visit(root: Req, visitor: Visitor) {}
export interface Options { base: string; env: Other; on?: Handler | null }
export function Page({ base, env }: Options) {}
export class Store { constructor(options: Options, changed: (now: Options) => void) {} }
export interface Ways { (a: string, f: (x: Context) => void): void; (a: number, f: (x: Other) => void): void }
export interface Outer { inner: Options; all: Options[] }
export function open(outer: Outer) {}
export function spread(a: number, f: (x: Context) => void) {}
export function empty({}: Other, f: (x: Context) => void, g: (x: Other) => void) {}
export class Made { constructor(private size: number, f: (x: Context) => void) {} }
export function several(f: (...all: Context[]) => void) {}
";

const USE: &str = "use.tsx";

fn program(text: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("lib.ts", LIB);
    let types = "App, Handler, Made, Options, Outer, Other, Page, Req, Store, Visitor, Ways";
    let names = format!("{types}, empty, open, several, spread, visit");
    repo.write(USE, format!("import {{ {names} }} from './lib'\n{text}"));
    repo.commit("typescript");
    repo
}

#[test]
fn a_callback_is_called_with_what_the_type_says() {
    let repo = program(
        "declare const app: App
app.get('/', (c) => c.env)
app.get('/', (c) => 1, (c) => c.req.path)
app.get('/', ({ env }) => env)
app.each((item, n) => item.path)
const handler: Handler = (c) => c.env
app.get('/', function (c) { return c.env })
new Store(null!, (now) => now.base)
",
    );
    let of_context = ["3 resolved", "5 resolved", "7 resolved", "8 resolved"];
    assert_eq!(uses(&repo, USE, "Context.env"), of_context);
    assert_eq!(uses(&repo, USE, "Context.req"), ["4 resolved"]);
    assert_eq!(uses(&repo, USE, "Req.path"), ["4 resolved", "6 resolved"]);
    assert_eq!(uses(&repo, USE, "Options.base"), ["9 resolved"]);
    assert_eq!(uses(&repo, USE, "Other.env"), [""; 0]);
}

#[test]
fn ways_to_call_that_do_not_agree_say_nothing() {
    let repo = program("declare const ways: Ways\nways('a', (x) => x.env)\n");
    assert_eq!(uses(&repo, USE, "Context.env"), ["3 ambiguous"]);
    assert_eq!(uses(&repo, USE, "Other.env"), ["3 ambiguous"]);
}

#[test]
fn parameters_are_those_of_the_function_itself() {
    let repo = program(
        "declare const app: App
app.none((x) => x.env)
app.some(null!, (x, y) => y.path, { env: '' })
app.some(null!, (x) => x.path)
app.maker().path
",
    );
    // What is bounded by a type may be narrower where the function is called.
    let of_path = ["4 resolved", "5 inferred", "6 resolved"];
    assert_eq!(uses(&repo, USE, "Req.path"), of_path);
    assert_eq!(uses(&repo, USE, "Other.env"), ["4 resolved", "3 ambiguous"]);
}

#[test]
fn the_members_of_an_object_are_those_of_what_is_expected() {
    let repo = program(
        "function run(): Options {
  visit(null!, { enter(node) { node.path }, leave: (node) => node.env, options: { deep: true } })
  new Store({ base: '', env: { env: '' }, on: (c) => c.req })
  open({ inner: { base: '' },
    all: [{ base: '' }] })
  const map: Record<string, Options> = { one: { base: '' } }
  return { base: '', env: null! }
}
const page = <Page base='' env={null!} />
",
    );
    assert_eq!(uses(&repo, USE, "Visitor.enter"), ["3 resolved"]);
    assert_eq!(uses(&repo, USE, "Visitor.leave"), ["3 resolved"]);
    assert_eq!(uses(&repo, USE, "Visitor.options"), ["3 resolved"]);
    assert_eq!(uses(&repo, USE, "Req.path"), ["3 resolved"]);
    assert_eq!(uses(&repo, USE, "Other.env"), ["3 resolved", "4 resolved"]);
    assert_eq!(uses(&repo, USE, "Context.req"), ["4 resolved"]);
    let of_base = [
        "4 resolved",
        "5 resolved",
        "6 resolved",
        "7 resolved",
        "8 resolved",
        "10 resolved",
    ];
    assert_eq!(uses(&repo, USE, "Options.base"), of_base);
    assert_eq!(uses(&repo, USE, "Outer.inner"), ["5 resolved"]);
}

#[test]
fn places_that_are_not_known_say_nothing() {
    let repo = program(
        "declare const list: any[]
spread(...list, (x) => x.env)
empty(null!, (x) => x.env, (y) => y.env)
new Made(1, (x) => x.env)
several((x) => x.env)
const o: Visitor = { set leave(x) { x.env } } as any
",
    );
    let of_context = [
        "5 resolved",
        "6 resolved",
        "3 ambiguous",
        "4 ambiguous",
        "7 ambiguous",
    ];
    assert_eq!(uses(&repo, USE, "Context.env"), of_context);
}
