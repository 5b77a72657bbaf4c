//! What TypeScript files declare for others, what they take of modules without a statement, and syntax that is newer than
//! the grammar.

use crate::harness::TestRepo;
use crate::typed::uses_in as uses;

const USE: &str = "src/use.ts";

fn program(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::init();
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("typescript");
    repo
}

#[test]
fn what_is_declared_for_all_files_is_found_from_all() {
    let repo = program(&[
        (
            "src/den.d.ts",
            "declare namespace Den {\n  interface Opts { size: number }\n  function open(p: string): Opts\n}\n\
             declare function helper(): string\n",
        ),
        (
            "src/one.ts",
            "export {}\ndeclare global {\n  interface Ctor {\n    make(): void\n  }\n  var shared: Ctor\n}\n",
        ),
        (
            "src/two.ts",
            "export const two = 2\ndeclare global {\n  interface Ctor {\n    from(): void\n  }\n}\n",
        ),
        (
            // A script that is no declaration is for nobody.
            "src/script.ts",
            "function lonely() {}\ninterface Other { make(): void; from(): void }\n",
        ),
        (
            USE,
            "let o: Den.Opts | undefined\nfunction use(c: Ctor) {\n  c.make()\n  c.from()\n  shared.make()\n  helper()\n  \
             Den.open('x').size\n  lonely()\n}\n",
        ),
    ]);
    assert_eq!(uses(&repo, USE, "Den.Opts"), ["1 resolved"]);
    assert_eq!(uses(&repo, USE, "Den.Opts.size"), ["7 resolved"]);
    assert_eq!(uses(&repo, USE, "Den.open"), ["7 resolved"]);
    assert_eq!(uses(&repo, USE, "helper"), ["6 resolved"]);
    assert_eq!(uses(&repo, USE, "src/one.ts:3"), ["2 resolved"]);
    assert_eq!(uses(&repo, USE, "src/two.ts:3"), ["2 resolved"]);
    assert_eq!(
        uses(&repo, USE, "global.Ctor.make"),
        ["3 resolved", "5 resolved"]
    );
    assert_eq!(uses(&repo, USE, "global.Ctor.from"), ["4 resolved"]);
    assert_eq!(uses(&repo, USE, "lonely"), [""; 0]);
}

#[test]
fn packages_declare_for_themselves() {
    let declared = "declare const version: { major: number }\n";
    let repo = program(&[
        ("a/env.d.ts", declared),
        ("b/env.d.ts", declared),
        ("a/use.ts", "version.major\n"),
        ("b/use.ts", "version.major\n"),
    ]);
    assert_eq!(uses(&repo, "a/use.ts", "a/env.d.ts:1"), ["1 resolved"]);
    assert_eq!(uses(&repo, "b/use.ts", "a/env.d.ts:1"), [""; 0]);
}

#[test]
fn what_is_added_to_a_module_is_part_of_its_types() {
    let repo = program(&[
        ("src/inner.ts", "export interface Mine {\n  a: number\n}\n"),
        ("src/index.ts", "export * from './inner'\n"),
        (
            "src/more.ts",
            "export {}\ndeclare module './index' {\n  interface Mine {\n    b: number\n  }\n}\n",
        ),
        (
            USE,
            "import { Mine } from './index'\nexport interface Not { a: string; b: string }\n\
             function use(m: Mine) {\n  m.a\n  m.b\n}\n",
        ),
    ]);
    assert_eq!(
        uses(&repo, USE, "src/inner.ts:1"),
        ["1 resolved", "3 resolved"]
    );
    assert_eq!(
        uses(&repo, USE, "src/more.ts:3"),
        ["1 resolved", "3 resolved"]
    );
    assert_eq!(uses(&repo, USE, "Mine.b"), ["5 resolved"]);
    assert_eq!(uses(&repo, USE, "Mine.a"), ["4 resolved"]);
}

#[test]
fn what_is_taken_of_a_module_in_place_is_imported() {
    let repo = program(&[
        (
            "src/a.ts",
            "export interface Conf<T> { size: T }\nexport function run() {}\n",
        ),
        (
            USE,
            "type C = import('./a').Conf<string>\ntype R = typeof import('./a').run\n\
             interface Other { size: number; run(): void }\n\
             function f(c: C, e: import('./a').Conf<number>) {\n  c.size\n  e.size\n}\n\
             async function g() {\n  const r = (await import('./a')).run\n  import('./a').then(console.log)\n}\n",
        ),
    ]);
    assert_eq!(uses(&repo, USE, "Conf"), ["1 resolved", "4 resolved"]);
    assert_eq!(uses(&repo, USE, "Conf.size"), ["5 resolved", "6 resolved"]);
    assert_eq!(uses(&repo, USE, "run"), ["2 resolved", "9 resolved"]);
}

#[test]
fn a_bare_name_is_no_method_of_an_object_around_it() {
    let repo = program(&[(
        USE,
        "function send(a: number) { return a }\nexport function make() {\n  const server = {\n    \
         async send(a: number) { return send(a) },\n    close: () => send(1),\n  }\n  return server\n}\n",
    )]);
    assert_eq!(uses(&repo, USE, "send"), ["4 resolved", "5 resolved"]);
}

#[test]
fn an_interface_whose_members_end_without_a_mark_is_whole() {
    let repo = program(&[(
        USE,
        "export interface Handle {\n  (): Promise<void>\n  // with a key\n  <K extends string>(key: K): K\n  last: number\n}\n\
         export type * from './use'\nexport interface After { next: number }\n\
         const a = styled.div<{ of: After }>`color: ${1}`\nfunction f(h: Handle, b: After) {\n  h.last\n  b.next\n}\n",
    )]);
    assert_eq!(uses(&repo, USE, "Handle.last"), ["11 resolved"]);
    assert_eq!(uses(&repo, USE, "After"), ["9 resolved", "10 resolved"]);
    repo.sverklo(&["index"]);
    let status = repo.sverklo(&["status"]).stdout;
    assert!(!status.contains("not understood"), "{status}");
}
