//! What the parameters of a generic type stand for, and what lists and maps hold that are taken apart.

use crate::harness::TestRepo;
use crate::typed::uses_in as uses;

const LIB: &str = "\
export class Item { name = ''; next(): Other { return null! } }
export class Other { name = '' }
export class Base { name = '' }
export class Box<T> {
  value!: T
  get(): T { return null! }
  self(): Box<T> { return null! }
  pair!: Pair<Other, T>
  each(f: (x: T) => void) {}
}
export class Pair<A, B> { first!: A; second!: B }
export class Items extends Box<Item> {}
export class Boxes<T> extends Box<T> {}
export type Maybe<T> = T | null
export type Same<T> = { [K in keyof T]: T[K] } & {}
export type With<T, K extends keyof T> = Pick<T, K> & Required<Omit<T, K>>
export type Takes<T> = (x: T) => void
export type Boxed<T> = Box<T>
export interface Named extends Omit<With<Item, 'name'>, 'next'> { own: number }
export interface Calls<T> { (x: T): T }
export function make(): Item { return null! }
export function box(): Box<Item> { return null! }
export async function later(): Promise<Item> { return null! }
";

const USE: &str = "use.ts";

fn program(text: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("lib.ts", LIB);
    let types =
        "Base, Box, Boxed, Boxes, Calls, Item, Items, Maybe, Named, Other, Pair, Same, Takes, With";
    repo.write(
        USE,
        format!("import {{ {types}, box, later, make }} from './lib'\n{text}"),
    );
    repo.commit("typescript");
    repo
}

/// Lines from 2 on, as they are printed.
fn lines(of: impl IntoIterator<Item = u32>) -> Vec<String> {
    of.into_iter().map(|at| format!("{at} resolved")).collect()
}

#[test]
fn members_of_a_generic_type_are_what_its_arguments_say() {
    let repo = program(
        "function a(x: Box<Item>) { x.value.name }
function b(x: Box<Item>) { x.get().name }
function c(x: Box<Item>) { x.self().self().value.name }
function d(x: Box<Item>) { x.pair.second.name }
function e(x: Items) { x.value.name }
function f(x: Boxes<Item>) { x.get().name }
function g() { box().value.name }
function h() { const x = new Box<Item>(); x.value.name }
function i(x: Box<Box<Item>>) { x.value.value.name }
function j(x: Boxed<Item>) { x.value.name }
function k(x: Box<Item>) { x.each((one) => one.name) }
",
    );
    assert_eq!(uses(&repo, USE, "Item.name"), lines(2..13));
    assert_eq!(uses(&repo, USE, "Other.name"), [""; 0]);
}

#[test]
fn names_that_stand_for_other_types_do_so_with_their_arguments() {
    let repo = program(
        "function a(x: Maybe<Item>) { x!.name }
function b(x: Same<Item>) { x.name }
function c(x: With<Item, 'name'>) { x.name }
const d: Takes<Item> = (x) => { x.name }
function e(x: Named) { x.name }
function f(x: Maybe<Box<Item>>) { x!.value.name }
function g(x: Calls<Item>) { x(make()) }
",
    );
    assert_eq!(uses(&repo, USE, "Item.name"), lines(2..8));
    assert_eq!(uses(&repo, USE, "Other.name"), [""; 0]);
}

#[test]
fn what_is_not_told_is_not_known() {
    let repo = program(
        "function a(x: Box<{ name: string }>) { x.value.name }
function b(x: Pair<{ name: string }, Item>) { x.first.name; x.second.name }
function c(x: Box<Item | Other>) { x.value.name }
",
    );
    let found = uses(&repo, USE, "Item.name");
    assert_eq!(
        found,
        ["3 resolved", "2 ambiguous", "3 ambiguous", "4 ambiguous"]
    );
}

#[test]
fn lists_and_maps_are_taken_apart() {
    let repo = program(
        "function a(x: Map<string, Item>) { for (const [k, v] of x) { v.name } }
function b(x: Record<string, Item>) { for (const [, v] of Object.entries(x)) v.name }
function c(x: Item[]) { for (const [i, v] of x.entries()) v.name }
function d(x: Record<string, Item>) { Object.entries(x).forEach(([k, v]) => v.name) }
function e(x: Map<string, Item>) { for (const [k, { name }] of x) name }
function f(x: Item[]) { const [first] = x; first.name }
function g(x: Item[]) { const [, ...others] = x; others[0].name }
function h(x: Item[]) { const y = [...x]; y[0].name }
function i(x: Item[]) { for (const y of new Set(x)) y.name }
function j(x: Item[]) { Array.from(x)[0].name }
function k(x: Item[]) { x.reduce((all, one) => { one.name; return all }, 0) }
async function l() { const [x, y] = await Promise.all([later(), 1]); x.name; y.name }
async function m(x: Item[]) { for (const [k /* key */, v] of x.entries()) v.name }
function n() { const x = new WeakMap<object, Item>(); x.get(make())!.name }
function o(x: Item) { const { next, ...others } = x; others.name }
async function p() { const [x, , y] = await Promise.all([/* one */ 1, later(), /* two */ later()]); y.name; x.name }
",
    );
    assert_eq!(uses(&repo, USE, "Item.name"), lines(2..18));
    assert_eq!(uses(&repo, USE, "Other.name"), [""; 0]);
}

#[test]
fn comments_take_no_place() {
    let repo = program(
        "function a(x: Pair</* one */ Other, /* two */ Item>) { x.second.name }
function b(x: Record</* key */ string, Item>) { x.some1.name }
function c(x: Item, y: Other) { const [p, q] = [/* one */ x, /* two */ y]; p.name }
function d(x: Item, y: Other) { const [p, q] = [y, , x]; q.name }
function e(x: Item, y: Other) { const [p = y] = [x]; p.name }
function f(x: Item, y: Other) { let [p, q] = [x, y]; [p, q] = [q, p]; p.name }
",
    );
    let found = uses(&repo, USE, "Item.name");
    assert_eq!(
        found,
        [
            "2 resolved",
            "3 resolved",
            "4 resolved",
            "6 resolved",
            "5 ambiguous",
            "7 ambiguous"
        ]
    );
}

#[test]
fn a_written_type_counts_whatever_the_value_is() {
    let repo = program(
        "function a(x: Item) { const y: Record<string, unknown> = x; y.name }
function b(x: Item) { const y = x; y.name }
",
    );
    let found = uses(&repo, USE, "Item.name");
    assert_eq!(found, ["3 resolved", "2 ambiguous"]);
}
