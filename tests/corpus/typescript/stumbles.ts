import { Ship } from "./ships";

/** Where ships lie. */
export class Quay {
  constructor(private readonly length: number) {}

  assign(ship: Ship): Ship {
    return this.place(ship, this.length);
  }

  release(ship: Ship, {
    if (ship.moored( {
      log(`released ${ship.name}`

  private place(ship: Ship, at: number): Ship {
    return ship;
  }

  isFree(from: number, to: number): boolean {
    return from < to;
  }
}

export function tow(ship: Ship, quay: Quay = {
  quay.assign(ship

export interface Pilot {
  board(ship: Ship): void;
}

export function moor(ship: Ship, pilot: Pilot) {
  pilot.board(ship);
}
