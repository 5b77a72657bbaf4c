import { User, Team } from './m'

export function first(a: { user: User; title: string; team?: Team[] }, { user: of }: { user: User }) {
  of.name
  return a.user.name
}
export interface Options { nested: { user: User; deep: { team: Team } }; plain: { title: string } }
export type Own = Readonly<{ user: User } & Team>
export const made = (): { user: User } | Team => null!
export class Holder { opts: { user: User; save(): void } = null!; list: { user: User }[] = [] }
export const keyed: { [name: string]: User; other: User } = null!
const asserted = (made as { user?: Team }).user
export type Pair = readonly [id: string, user: User, team?: Team]
export type Many = [User, ...Team[]]
export function both([user, team]: [User, Team], at: Pair) {
  const [, of = user] = at
  return [at[1], at[0], 3, team] as const
}
export const [one, two] = both(null!, null!)
export const handler: Holder = { opts: { save() {} }, list: [], start(options) {} } as any
export function made(user: User) {
  const own = { user, deep: { team: new Team() }, set() {}, ...user }
  const copy = { ...own, n: 1 }
  const { deep: { team: [first] }, ...rest } = own as any
  const teams = [user].map((one) => one.name), all = ids.flatMap(load), then = load('').then((u) => u.name)
  return { own, first, at: 1 }
}
