//! What the parts of tuples are and the members of objects that are put together, what closures make of lists, and the
//! functions that stand in objects of which a type is expected.

use crate::harness::TestRepo;
use crate::typed::uses_in as uses;

const APP: &str = "\
export class User { save() {} name = '' }
export class Team { save() {} name = '' }
export type Pair = [User, Team]
export type Named = readonly [id: string, user: User, team?: Team]
export type Many = [User, ...Team[]]
export type Made = (user: User) => Team
export type Both = [Made, Pair]
export type With<T> = [T, Team]
export interface Options { quiet?: boolean }
export interface Other { quiet?: boolean }
export interface Worker { start: (options?: Options) => void; stop(other: Other): void }
export function take(worker: Worker) {}
export class Base<T> { kept!: T & { at: number } }
export class Kept extends Base<User> {}
";

fn program(text: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("app.ts", APP);
    let names = "Both, Kept, Made, Many, Named, Pair, Team, User, With, Worker, take";
    repo.write(
        "use.ts",
        format!("import {{ {names} }} from './app'\n{text}"),
    );
    repo.commit("typescript");
    repo
}

/// In which lines each of these is used, and how surely where that is not for sure.
fn lines<const N: usize>(repo: &TestRepo, names: [&str; N]) -> [Vec<String>; N] {
    names.map(|name| {
        let all = uses(repo, "use.ts", name).into_iter();
        all.map(|line| line.replace(" resolved", "")).collect()
    })
}

#[test]
fn each_part_of_a_tuple_is_of_its_own_type() {
    let repo = program(
        "function a(p: Pair) { p[0].save()
  p[1].save() }
function b([u, t]: Pair) { u.save()
  t.save() }
function c(n: Named) { const [, u, t] = n; u.save()
  n[2]?.save(); t!.save() }
function d(): [User, Team] { return null! }
function e() { const [u, t] = d(); u.save()
  t.save(); d()[1].save() }
async function f(p: Promise<Pair>) { const [u, t] = await p; u.save()
  t.save() }
function g(b: Both) { b[0](null!).save(); const [made] = b; made(null!).save()
  b[1][0].save() }
function h(w: With<User>) { w[0].save()
  w[1].save() }
function i([{ name }, t = null!]: Pair) {
  return t.name }
function j(m: Many) { m[1].save() }
function k(p: Pair) { for (const one of p) one.save() }
function l(all: User[]) { const [first] = all; first.save(); all[1].save() }
function m(p: any) { p[0].save() }
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    let unknown = ["19 ambiguous", "22 ambiguous"];
    let all = ["2", "4", "6", "9", "11", "14", "15", "20", "21"];
    assert_eq!(user, [&all[..], &unknown].concat());
    let all = ["3", "5", "7", "10", "12", "13", "16", "20"];
    assert_eq!(team, [&all[..], &unknown].concat());
    let [user, team] = lines(&repo, ["User.name", "Team.name"]);
    assert_eq!((user, team), (vec!["17".to_owned()], vec!["18".to_owned()]));
}

#[test]
fn a_list_that_a_function_gives_is_a_tuple() {
    let repo = program(
        "function a() { const u = new User(); const t = new Team(); return [u, t] as const }
function b() { const u = new User(); return [u, 1, new Team()] }
const c = () => [new User(), new Team()]
const d = [new User(), new Team()] as const
const [u, t] = a(); u.save()
t.save()
const [v, , w] = b(); v.save()
w.save()
const [x, y] = c(); x.save()
y.save()
d[0].save()
d[1].save()
const e = [new User(), new User()]; e[0].save(); const [f] = e; f.save()
const g = [new User(), new Team()]; g[1].save()
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    assert_eq!(user, ["6", "8", "10", "12", "14", "15 ambiguous"]);
    assert_eq!(team, ["7", "9", "11", "13", "15 ambiguous"]);
}

#[test]
fn members_of_an_object_that_is_put_together_are_known() {
    let repo = program(
        "function a() { return { user: new User(), team: new Team(), at: 1 } }
function b() { const user = new User(); return { user, deep: { team: new Team() }, set: () => {} } }
const c = (u: User, t: Team) => ({ u, t })
function d() { const { user, team } = a(); user.save()
  team.save(); a().user.save() }
function e(u: User) { const x = b(); x.user.save(); c(u, null!).u.save()
  x.deep.team.save(); c(u, null!).t.save() }
function f(u: User) { const copy = { ...u }; copy.save(); const own = { u, n: 1 }; own.u.save() }
function g(x: ReturnType<typeof a>) { x.user.save() }
class H { held = { user: new User() }; m() { this.held.user.save() } }
function i(u: User) { const own = { u, run() {} }; own.other.save() }
function j(u: User) { let x = u; x = { ...x, n: 1 }; x.save(); let y: User; y = { name: '' } as any; y.save() }
function k(x: { made: { user: User; all: [Team] } }) { const { made: { user, all: [t] } } = x; user.save()
  t.save() }
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    let all = ["5", "6", "7", "9", "10", "11", "13", "14"];
    assert_eq!(user, [&all[..], &["12 ambiguous"]].concat());
    let all = ["6", "8", "15"];
    assert_eq!(team, [&all[..], &["12 ambiguous"]].concat());
    // A key of such an object is no member of anything else.
    let repo = program(
        "class Keyed { user = 1 }
function a(u: User) { return { user: u } }
a().user
",
    );
    let [keyed] = lines(&repo, ["Keyed.user"]);
    assert_eq!(keyed, ["3 inferred"], "where it is written alone");
}

#[test]
fn of_what_may_be_either_of_two_nothing_is_told_for_sure() {
    let repo = program(
        "function a(o: { t: User }) { const s = { ...o, t: new Team() }; s.t.save() }
function b(o: { t: User }) { const s = { t: new Team(), ...o }; s.t.save() }
function c(us: User[], is: any) { us.map((u) => { if (is) return u; return new Team() })[0].save() }
function d(us: User[], is: any) { us.map((u) => is ? u : new Team())[0].save() }
function e(is: any) { if (is) return [new User(), 2] as const; return [new Team(), 1] as const }
const [one] = e(1); one.save()
async function f(ps: Promise<User>[]) { const [r] = await Promise.allSettled(ps); r.value.save() }
async function g(ps: Promise<User>[]) { (await Promise.race(ps)).save() }
const nested: [[User, Team], Team] = null!; const [[n, m], l] = nested
n.save(); l.save()
function h() { const held = { at: {}, user: new User() }; held.at.save(); held.user.save() }
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    let either = ["3", "4", "5", "7", "8", "11", "12"].map(|line| format!("{line} ambiguous"));
    let with = |sure: &[&str]| -> Vec<String> {
        let sure = sure.iter().map(|line| (*line).to_owned());
        sure.chain(either.clone()).collect()
    };
    assert_eq!(user, with(&["9", "12"]));
    assert_eq!(team, with(&["2", "11"]));
}

#[test]
fn a_function_that_an_object_has_is_what_its_member_means() {
    let repo = program(
        "function made() { return { ping, user: new User() } }
function ping() {}
const api = made(); api.ping()
",
    );
    let [ping] = lines(&repo, ["use.ts::ping#function"]);
    assert_eq!(ping, ["2", "4"]);
}

#[test]
fn what_a_closure_makes_of_a_list_is_known() {
    let repo = program(
        "declare function load(id: string): Promise<User>
interface Held { team: Team; all: Team[] }
function a(us: User[], hs: Held[], ids: string[]) {
  ids.map((id) => new User())[0].save()
  ids.map(load).forEach((u) => u.then((v) => v.save()))
  hs.map((h) => h.team).filter((t) => t.save())
  hs.flatMap((h) => h.all).find((t) => t.save())
  hs.map((h) => { const t = h.team; return t }).forEach((t) => t.save())
  hs.reduce((all, h) => { all.push(h.team); return all }, [] as Team[])[0].save()
  us.sort((a, b) => b.save())
  us.map((u) => any(u))[0].save()
}
async function b(ids: string[], ps: Promise<User>[]) {
  const all = await Promise.all(ids.map((id) => load(id))); all[0].save()
  const [first] = await Promise.all(ps); first.save()
  const t = await load('').then((u) => new Team()); t.save()
  const made = await fetch('').then((r) => r.json()); made.save()
}
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    let unknown = ["12 ambiguous", "18 ambiguous"];
    let all = ["5", "6", "11", "15", "16"];
    assert_eq!(user, [&all[..], &unknown].concat());
    let all = ["7", "8", "9", "10", "17"];
    assert_eq!(team, [&all[..], &unknown].concat());
}

#[test]
fn functions_in_objects_are_called_as_the_type_says_that_is_expected() {
    let repo = program(
        "export function a(): Worker { return { start(o) { o?.quiet }, stop(o) { o.quiet } } }
export const b: Worker = {
  start(o) { o?.quiet },
  stop(o) { o.quiet },
}
export const c = (): Worker => ({ start: (o) => { o?.quiet }, stop: () => {} })
export const d = { async start(o) { o?.quiet }, stop() {} } satisfies Worker
take({ start: async (o) => { o?.quiet }, stop() {} })
class E { w: Worker = { start(o) { o?.quiet }, stop() {} } }
export const f = { start(o) { o.quiet } }
",
    );
    let [options, other, start] = lines(&repo, ["Options.quiet", "Other.quiet", "Worker.start"]);
    assert_eq!(options, ["2", "4", "7", "8", "9", "10", "11 ambiguous"]);
    assert_eq!(other, ["2", "5", "11 ambiguous"]);
    // What an object has under the name of a member is that member.
    assert_eq!(start, ["2", "4", "7", "8", "9", "10"]);
}

#[test]
fn a_type_parameter_beside_others_stands_for_what_a_base_is_given() {
    let repo = program(
        "function a(k: Kept) { k.kept.save() }
class B extends Kept { m() { this.kept.save() } }
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    assert_eq!(user, ["2", "3"]);
    assert!(team.is_empty(), "{team:?}");
}

#[test]
fn a_member_in_quotes_of_what_is_not_known_is_not_taken_for_a_global() {
    let repo = program(
        "type Module = typeof import('./app')
let User: Module['User']
it('saves', () => { User.save() })
",
    );
    let [user, team] = lines(&repo, ["User.save", "Team.save"]);
    assert_eq!(user, ["4 ambiguous"]);
    assert_eq!(team, ["4 ambiguous"]);
}
