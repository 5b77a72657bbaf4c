class Square { side = 1 }
class Circle { radius = 1 }
type Shape = Square | Circle

function isCircle(x: unknown): x is Circle { return x instanceof Circle }
function isOther(y: number, x: unknown): x is Circle { return true }
const isSquare = (x: unknown): x is Square => true
function assertSquare(x: unknown): asserts x is Square {}

interface Table { [name: string]: Circle }
type Rows = { [K in "a" | "b"]?: Square }
type Same<T> = { [K in keyof T]: Circle }

function area(x: Shape, ready: boolean) {
  if (!isCircle(x)) {
    return x.side
  } else {
    x.radius
  }
  if (isSquare(x) || x instanceof Circle) x.side
  if (isSquare(x) || ready) x.side
  while (isCircle(x) && ready) x.radius
  issue(x)
  isCircle(x.side)
  return (isSquare(x) && x.side) || x
}

function demands(x: Shape) {
  assertSquare(x)
  invariant(x instanceof Square)
  return x.side
}

interface Oval { readonly kind: "oval" | "egg"; radius: number }
interface Cube { kind: Kind.Cube; side: number }
enum Kind { Cube = "cube" }
type Solid = Oval | Cube

function compares(x: Solid, y: Solid) {
  if (x.kind === "oval" || x.kind === "egg" || x.kind === Kind.Cube) x.radius
  if (x.kind !== "oval") return x.side
  if (x.kind === y.kind || x.kind === "not-a-name") x.side
  if ("radius" in y && y.radius) y.radius
  switch (y.kind) {
    case "oval":
    case "egg":
      return y.radius
    case Kind.Cube:
      y.side
    case "other": {
      y.side
      break
    }
    default:
      y.side
  }
}

type Wide = Omit<Oval, "radius" | "kind"> & { radius: string }
type Keyed = Readonly<Omit<Oval, keyof Cube>> & { kind: string }
interface Few extends Partial<Pick<Oval, "radius"> & { kind: string }> {}
type Plain = Pick<Oval, "radius">
const quoted: Oval["radius"] = 1
