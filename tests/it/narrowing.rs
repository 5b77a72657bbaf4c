//! What a local name is where a condition says of which type it is, and what objects keep under any name.

use crate::harness::TestRepo;
use crate::typed::uses_in as uses;

const LIB: &str = "\
export class Shape { name = ''; area = 0 }
export class Round extends Shape { radius = 0; name = '' }
export class Flat { name = ''; area = 0 }
export interface Line { name: string; area: number }
export type Any = Round | Flat | Line
export function isRound(x: unknown): x is Round { return x instanceof Round }
export const isFlat = (x: unknown): x is Flat => x instanceof Flat
export function isShape(x: unknown): x is Shape { return true }
export function isLine(x: Any): boolean { return true }
export function isSecond(y: Any, x: Any): x is Flat { return true }
export function isMany<T>(x: unknown): x is T { return true }
export function assertFlat(x: unknown): asserts x is Flat {}
export class Guard { static isFlat(x: unknown): x is Flat { return true } }
export interface Table { fixed: Round; [name: string]: Flat | Round }
export interface Plain { [name: string]: Flat }
export type Rows = Record<string, Flat>
export type Part = Partial<Record<'a' | 'b', Flat>>
export type Mapped = { [K in 'a' | 'b']?: Flat }
export type Same = { [K in keyof Round]: Flat }
";

const USE: &str = "use.ts";

fn program(text: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("lib.ts", LIB);
    let names = "Any, Flat, Guard, Line, Mapped, Part, Plain, Round, Rows, Same, Shape, Table";
    let functions = "assertFlat, isFlat, isLine, isMany, isRound, isSecond, isShape";
    repo.write(
        USE,
        format!("import {{ {names}, {functions} }} from './lib'\n{text}"),
    );
    repo.commit("typescript");
    repo
}

/// Who uses `name` of each of the three types, by line.
fn named(repo: &TestRepo) -> [Vec<String>; 3] {
    ["Round.name", "Flat.name", "Line.name"].map(|of| uses(repo, USE, of))
}

#[test]
fn a_check_tells_of_which_type_a_name_is() {
    let repo = program(
        "function a(x: Any) { if (isRound(x)) { x.name } }
function b(x: Any) { if (isRound(x)) { } else { x.name } }
function c(x: Any) { if (!isFlat(x)) return; x.name }
function d(x: Any) { return isFlat(x) && x.name }
function e(x: Any) { return !isFlat(x) || x.name }
function f(x: Any) { return Guard.isFlat(x) ? x.name : null }
function g(x: Any) { assertFlat(x); x.name }
function h(x: Any) { while (isFlat(x)) { x.name } }
",
    );
    let [round, flat, line] = named(&repo);
    assert_eq!(round, ["2 resolved"]);
    let of_flat: Vec<String> = (3..10).map(|at| format!("{at} resolved")).collect();
    assert_eq!(flat, of_flat);
    assert_eq!(line, ["3 resolved"]);
}

#[test]
fn what_a_check_leaves_is_all_but_what_it_proves() {
    let repo = program(
        "function a(x: Any) { if (isRound(x)) { return }\n x.name }
function b(x: Any) { if (isRound(x)) throw 1\n else { }\n x.name }
function c(x: Any) { if (isRound(x) || isFlat(x)) return; x.name }
function d(x: Any) { if (isRound(x)) { }\n x.name }
function e(x: Any) { for (;;) { if (isRound(x)) continue; x.name } }
function f(x: Any) { if (x instanceof Flat) return; x.name }
function g(x: Any) { for (;;) { if (isRound(x)) { break } }\n x.name }
",
    );
    let [round, flat, line] = named(&repo);
    assert_eq!(round, ["9 resolved", "11 resolved", "13 resolved"]);
    let of_flat = [
        "3 resolved",
        "6 resolved",
        "9 resolved",
        "10 resolved",
        "13 resolved",
    ];
    assert_eq!(flat, of_flat);
    let of_line = [
        "3 resolved",
        "6 resolved",
        "7 resolved",
        "9 resolved",
        "10 resolved",
    ];
    assert_eq!(line[..5], of_line);
    assert_eq!(line[5..], ["11 resolved", "13 resolved"]);
}

#[test]
fn of_several_checks_one_has_to_hold() {
    let repo = program(
        "function a(x: Any) { if (isRound(x) || isFlat(x)) { x.name } }
function b(x: Any) { if (isRound(x) || (isFlat(x))) { x.name } }
function c(x: Any, y: boolean) { if (isRound(x) || y) { x.name } }
function d(x: Any) { if (isRound(x) || isLine(x)) { x.name } }
function e(x: Any) { if (isRound(x) && x.name || isFlat(x)) { x.area } }
",
    );
    let [round, flat, line] = named(&repo);
    let all = |lines: &[u32]| -> Vec<String> {
        lines.iter().map(|at| format!("{at} resolved")).collect()
    };
    assert_eq!(round, all(&[2, 3, 4, 5, 6]));
    assert_eq!(flat, all(&[2, 3, 4, 5]));
    assert_eq!(line, all(&[4, 5]));
}

#[test]
fn a_check_that_proves_nothing_changes_nothing() {
    let repo = program(
        "function a(x: Flat) { if (isLine(x)) { x.name } }
function b(x: Flat, y: Any) { if (isSecond(x, y)) { x.name } }
function c(x: Flat) { if (isMany<Round>(x)) { x.name } }
function d(x: Flat) { if (isElsewhere(x)) { x.name } }
function e(x: Flat) { if (issue(x)) { x.name } }
",
    );
    let [round, flat, line] = named(&repo);
    let all: Vec<String> = (2..7).map(|at| format!("{at} resolved")).collect();
    assert_eq!((round, flat, line), (vec![], all, vec![]));
}

#[test]
fn a_narrower_type_stays_and_an_unrelated_one_is_added() {
    let repo = program(
        "function a(x: Round) { if (isShape(x)) { x.name } }
function b(x: Line) { if (isFlat(x)) { x.name } }
function c(x: Shape) { if (isRound(x)) { x.name } }
function d(x: unknown) { if (isFlat(x)) { x.name } }
",
    );
    let [round, flat, line] = named(&repo);
    assert_eq!(round, ["2 resolved", "4 resolved"]);
    assert_eq!(flat, ["3 resolved", "5 resolved"]);
    assert_eq!(line, ["3 resolved"]);
    assert_eq!(uses(&repo, USE, "Shape.name"), [""; 0]);
}

#[test]
fn what_passes_a_check_on_or_may_not_run_proves_nothing() {
    let repo = program(
        "const isInner = (x: any) => isFlat(x.inner)
function isNext(x: any) { return isFlat(x.next) }
function a(x: Any) { if (isInner(x)) x.name }
function b(x: Any) { if (isNext(x)) x.name }
function c(x: Any, y: boolean) { if (y) assertFlat(x); x.name }
function d(x: Any, y: boolean) { while (y) assert(isFlat(x)); x.name }
function e(x: Any, y: boolean) { if (y) { assertFlat(x); x.area }; x.name }
",
    );
    let [round, flat, line] = named(&repo);
    let all: Vec<String> = (4..9).map(|at| format!("{at} resolved")).collect();
    assert_eq!((round, flat), (all.clone(), all.clone()));
    assert_eq!(line, all);
    assert_eq!(uses(&repo, USE, "Line.area"), [""; 0]);
}

#[test]
fn an_assignment_ends_what_a_check_says() {
    let repo = program(
        "function a(x: any) { if (!isFlat(x)) return; x = null; x.name }
function b(x: any, y: any) { if (!isFlat(x)) return; [x] = y; x.name }
function c(x: any, y: any) { if (!isFlat(x)) return; x ||= y(); x.name }
function d(x: any, y: any) { if (!isFlat(x)) return; for (x of y) { x.name } }
function e(x: any, y: Round) { if (!isFlat(x)) return; x = y; x.name }
function f(x: any) { if (!isFlat(x)) return; x.name }
",
    );
    let [round, flat, _] = named(&repo);
    let unsure = ["2 ambiguous", "3 ambiguous", "4 ambiguous", "5 ambiguous"];
    assert_eq!(round, [&["6 resolved"][..], &unsure].concat());
    assert_eq!(flat, [&["7 resolved"][..], &unsure].concat());
}

#[test]
fn variables_of_modules_keep_their_uses() {
    let repo = TestRepo::init();
    repo.write("lib.ts", LIB);
    repo.write(
        USE,
        "import { isFlat, Flat } from './lib'
export const conf: unknown = null
export function g(all: unknown[]) {
  all.forEach((conf) => conf)
  if (isFlat(conf)) {
    return conf }
  if (conf instanceof Flat) {
    return conf }
}
",
    );
    repo.commit("typescript");
    let found = uses(&repo, USE, "conf");
    assert_eq!(
        found,
        ["5 resolved", "6 resolved", "7 resolved", "8 resolved"]
    );
}

#[test]
fn any_name_reads_what_an_object_keeps_under_names() {
    let repo = program(
        "function a(x: Rows) { x.first.name; x['other'].name; x.length.name }
function b(x: Part) { x.a!.name }
function c(x: Mapped) { x.a!.name }
function d(x: Plain) { x.first.name }
function e(x: Table) { x.fixed.name }
function f(x: Record<'a', Flat>) { const { a } = x; x.a.name }
function g(x: Same) { x.radius.name }
function h(x: Flat[]) { x.length.name; x.map.name }
",
    );
    let [round, flat, line] = named(&repo);
    assert_eq!(round, ["6 resolved"]);
    let of_flat = ["2 resolved", "3 resolved", "4 resolved", "5 resolved"];
    assert_eq!(flat, [&of_flat[..], &["7 resolved"]].concat());
    assert_eq!(line, [""; 0]);
}

const SOLIDS: &str = "\
export enum Kind { Sun = 'sun', Moon = 'moon' }
export enum Other { Sun, Moon }
export interface Ball { kind: 'ball' | 'egg'; size: number; radius: number }
export interface Cube { readonly kind: 'cube'; size: number; side?: number }
export interface Cone { kind: 'cone'; size: number; radius: number }
export interface Blob { kind: string; size: number }
export interface Perhaps { kind?: 'perhaps'; size: number }
export interface Mixed { kind: 'mixed' | 'not-a-name'; size: number }
export interface Sun { kind: Kind.Sun; size: number }
export interface Moon { kind: Kind.Moon; size: number }
export type Solid = Ball | Cube | Cone
export type Star = Sun | Moon
";

fn solids(text: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("solids.ts", SOLIDS);
    let names = "Ball, Blob, Cube, Kind, Mixed, Other, Perhaps, Solid, Star, Sun";
    repo.write(USE, format!("import {{ {names} }} from './solids'\n{text}"));
    repo.commit("typescript");
    repo
}

/// The lines of a file that use something for sure, as all that are told have to.
fn sure(repo: &TestRepo, path: &str, of: &str) -> Vec<String> {
    let all = uses(repo, path, of).into_iter();
    all.map(|line| line.trim_end_matches(" resolved").to_owned())
        .collect()
}

/// Who uses `size` of some types, by line.
fn sizes<const N: usize>(repo: &TestRepo, of: [&str; N]) -> [Vec<String>; N] {
    of.map(|of| sure(repo, USE, &format!("{of}.size")))
}

#[test]
fn a_member_that_is_compared_tells_types_apart() {
    let repo = solids(
        "function a(x: Solid) { if (x.kind === 'egg') { x.size } }
function b(x: Solid) { if (x.kind !== 'ball') { x.size } }
function c(x: Solid) { if ('cube' == x.kind) return; x.size }
function d(x: Solid) { return x.kind === 'ball' || x.kind === 'cone' ? x.size : 0 }
function e(x: Solid) { return x.kind === 'ball' || x.kind === 'egg' ? 0 : x.size }
function f(x: Solid) { return 'side' in x && x.size }
function g(x: Solid, y: Solid) { if (x.kind === 'egg') { y.size } }
function h(x: Solid) { if (x.kind === 'other') { x.size } }
",
    );
    let [ball, cube, cone] = sizes(&repo, ["Ball", "Cube", "Cone"]);
    assert_eq!(ball, ["2", "3", "4", "5", "8", "9"]);
    assert_eq!(cube, ["3", "6", "7", "8", "9"]);
    assert_eq!(cone, ["3", "4", "5", "6", "8", "9"]);
}

#[test]
fn members_of_enumerations_tell_types_apart() {
    let repo = solids(
        "function a(x: Star) { return x.kind === Kind.Sun ? x.size : 0 }
function b(x: Star) { return x.kind === Kind.Sun ? 0 : x.size }
function c(x: Star) { return x.kind === Other.Sun ? x.size : 0 }
function d(x: Star | Ball) { return x.kind === 'ball' ? x.size : 0 }
",
    );
    let [sun, moon, ball] = sizes(&repo, ["Sun", "Moon", "Ball"]);
    assert_eq!(sun, ["2", "4", "5"]);
    // What the members of enumerations are is not known.
    assert_eq!(moon, ["3", "4", "5"]);
    assert_eq!(ball, ["5"]);
}

#[test]
fn what_may_be_anything_rules_nothing_out() {
    let repo = solids(
        "function a(x: Ball | Blob) { if (x.kind === 'egg') { x.size } else {
  x.size } }
function b(x: Ball | Perhaps) { if (x.kind !== 'perhaps') { x.size } }
function c(x: Ball | Mixed) { if (x.kind !== 'mixed') { x.size } }
",
    );
    let [ball, blob, perhaps, mixed] = sizes(&repo, ["Ball", "Blob", "Perhaps", "Mixed"]);
    assert_eq!(ball, ["2", "3", "4", "5"]);
    assert_eq!(blob, ["2", "3"]);
    assert_eq!(perhaps, ["4"]);
    assert_eq!(mixed, ["5"]);
}

#[test]
fn many_checks_of_one_name_are_no_long_way() {
    let checks = "if (x.kind === 'egg') return\n".repeat(200);
    let repo = solids(&format!(
        "function a(x: Solid) {{\n{checks}x.kind; x.size }}\n"
    ));
    let [ball, cube, _] = sizes(&repo, ["Ball", "Cube", "Cone"]);
    assert_eq!(ball, ["203"]);
    assert_eq!(cube, ["203"]);
}

#[test]
fn branches_of_a_switch_tell_types_apart() {
    let repo = solids(
        "function a(x: Solid) {
  switch (x.kind) {
    case 'egg':
      x.size; return
    case 'cube':
    case 'cone':
      x.size; break
    default:
      x.size
  }
  switch (x.kind) {
    case 'cube':
      x.size
    case 'cone': {
      x.size
      break
    }
    default:
      x.size
  }
  switch (x.kind) {
    default:
    case 'cube':
      x.size
  }
}
",
    );
    let [ball, cube, cone] = sizes(&repo, ["Ball", "Cube", "Cone"]);
    assert_eq!(ball, ["5", "10", "20", "25"]);
    assert_eq!(cube, ["8", "14", "16", "25"]);
    assert_eq!(cone, ["8", "16", "25"]);
}

#[test]
fn what_several_types_at_once_have_is_of_each() {
    let repo = TestRepo::init();
    repo.write(
        "lib.ts",
        "export interface Base { id: string; base: string; list: string[]; own: string }
export interface Mid { id: string }
export type Wide = Readonly<Omit<Base, 'list'>> & { base: string; list: number[] }
export interface Wider extends Readonly<Omit<Base, 'list' | 'id'> & { base: string; list: number[] }> {}
export type Few = Pick<Base, 'id'> & { base: number; id: string }
export type Either = Partial<Base> & ({ base: string } | { other: string })
export interface Own extends Omit<Base, 'list'> { base: string }
export type Unknown = Omit<Base, keyof Mid> & { base: string }
export type Computed = Omit<Base, Exclude<keyof Base, 'id'>> & { base: string }
export type Nested = Omit<Omit<Base, 'base'>, ('id')> & { base: string; id: string }
export type Own2<T> = { [K in keyof T]: T[K] }
export type Wrapped = Own2<Omit<Base, 'base'>> & { base: string }
",
    );
    repo.write(
        USE,
        "import { Base, Wide, Wider, Few, Either, Own, Unknown, Computed, Nested, Wrapped } from './lib'
function a(x: Wide) { x.base; x.id }
function b(x: Wide) { x.list }
function c(x: Wider) { x.base }
function d(x: Wider) { x.list }
function e(x: Few) { x.base }
function f(x: Few) { x.id }
function g(x: Either) { x.base }
function h(x: Own) { x.base }
function i(x: Unknown) { x.base }
function j(x: Base) { return x['base'] }
type K = Base['base']
function l(x: Computed, y: Nested, z: Wrapped) { x.base; y.base; y.id; z.base }
",
    );
    repo.commit("typescript");
    let of = |name| sure(&repo, USE, name);
    assert_eq!(of("Base.base"), ["2", "4", "8", "11", "12"]);
    assert_eq!(of("Base.list"), [""; 0]);
    assert_eq!(of("Base.id"), ["2", "7"]);
    assert_eq!(of("Wide.base"), ["2"]);
    assert_eq!(of("Wide.list"), ["3"]);
    assert_eq!(of("Wider.base"), ["4"]);
    assert_eq!(of("Wider.list"), ["5"]);
    assert_eq!(of("Few.base"), ["6"]);
    assert_eq!(of("Few.id"), ["7"]);
    assert_eq!(of("Either.base"), ["8"]);
    assert_eq!(of("Own.base"), ["9"]);
    assert_eq!(of("Unknown.base"), ["10"]);
    for of_it in ["Computed.base", "Nested.base", "Nested.id", "Wrapped.base"] {
        assert_eq!(of(of_it), ["13"], "{of_it}");
    }
    // Names of members in quotes are uses, too.
    assert_eq!(sure(&repo, "lib.ts", "Base.list"), ["3", "4", "7"]);
}

#[test]
fn a_name_with_a_written_type_is_of_that_again_behind_a_branch() {
    let repo = program(
        "function a(x: Any) { if (isLine(x)) { x = new Flat()
  x.name }
  x.name }
function b(x: unknown, y: Flat) { if (y) x = new Round()
  x.name }
function c() { let x
  if (isLine(x)) { x = new Round() }
  x.name }
",
    );
    let [round, flat, line] = named(&repo);
    assert_eq!(round, ["4 resolved", "9 resolved", "6 ambiguous"]);
    assert_eq!(flat, ["3 resolved", "4 resolved", "6 ambiguous"]);
    assert_eq!(line, ["4 resolved", "6 ambiguous"]);
}
