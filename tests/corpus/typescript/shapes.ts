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
