// What the grammar does not know: see src/lang/javascript/newer.rs.
export interface Handle<E> {
  (): Promise<E>

  // with a key
  <K extends keyof E>(key: K): E[K]
  <K extends keyof E>(
    key: K,
    value: E[K]
  ): void
  after: number
}
export type * from './handle'
export type * as all from './all'
const Box = styled.div<{ $of: Shade }>`color: ${shade};`
const Link = styled(Base)<Props>`
  color: red;
`
type Conf<T> = import('./conf').Conf<T>
type Run = typeof import('./run').run
const made = make<typeof import('./made')['part']>(1)
const later = await import(
  './later',
)
abstract class Node {
  abstract override readonly kind: string
  parts: readonly import('./part').Part[] = []
}
export { default as data } from './data.json' with { type: 'json' }
function quote(using: string) {
  return [using, (await import('./quotes')).mark]
}
declare global {
  interface Window { handle: Handle<string> }
}
declare module './conf' {
  interface Conf<T> { more: T }
}
