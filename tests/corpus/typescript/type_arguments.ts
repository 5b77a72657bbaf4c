class Item { name = "" }
class Box<T> { value!: T; self(): Box<T> { return this } }
class Items extends Box<Item> {}
type Maybe<T> = T | null
type Same<T> = { [K in keyof T]: T[K] }
interface Named extends Omit<Maybe<Item>, "x"> { own: number }

function types(a: Box<Item>, b: Map<string, Item[]>, c: Box<Item[]>, d: Box<Item | null>, e: Box<string, Promise<Item>>) {
  const made = new Box<Item>()
  const map = new Map<string, Item>()
  return made.self<Item>()
}

async function apart(list: Item[], map: Map<string, Item>, object: Record<string, Item>) {
  const [first, ...others] = list
  for (const [key, { name }] of map) key
  for (const [, value] of Object.entries(object)) value
  Object.entries(object).map(([key, value]) => value)
  const [x, , y] = await Promise.all([first, 1, list])
  const all = [...list, first]
  const { name, ...rest } = first
  list.reduce((sum, item) => sum, 0)
  const set = new Set(list)
  return later().then((item) => item.name).catch(() => null)
}
