import { Circle, Square } from './shapes';
import type { Named } from './shapes';

const all = { round: [new Circle(1)], angular: new Map([['a', new Square(2)]]) };

/* 🦀 é */ export const first = all.round.map((one) => one.area());

export function total(): number {
  let sum = 0;
  all.angular.forEach((each) => (sum += each.area() + each.half));
  return sum;
}

export function named(of: Named): string {
  return of.label + of.shape.label + [1, 2].area;
}
