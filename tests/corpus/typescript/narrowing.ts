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
