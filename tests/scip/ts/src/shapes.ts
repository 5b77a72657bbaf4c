export class Circle {
  constructor(public radius: number) {}
  area(): number {
    return 3 * this.radius * this.radius;
  }
}

export class Square {
  constructor(public side: number) {}
  area(): number {
    return this.side * this.side;
  }
  get half(): number {
    return this.side / 2;
  }
}

export type Named = { label: string; shape: { label: number } };
