import type { Options, Result as R } from './types';
import { type Model, load } from '@scope/pkg';
import fs = require('fs');
import Alias = Space.Deep.Thing;

/** A user. */
export interface User<T extends object = {}> extends Base<T>, Named {
  readonly id: string;
  /** Full name. */
  name?: Options['name'];
  greet(other: User<T>): Promise<void>;
  (call: number): string;
}

export type Handler<E> = (event: E, user: User<E>) => void | Promise<R>;
type Shape = { kind: 'circle'; radius: number };

export enum Color { Red, Green = 'green', Blue = 1 << 2 }
export const enum Flag { A }

declare global { interface Window { app: App } }
declare module 'vendor' { export function setup(o: Options): void; }
declare const VERSION: string;
declare function ambient(x: number): string;

export namespace Geometry.Plane {
  export const origin = point(0, 0);
  export function area(s: Shape): number { return s.radius; }
}

export function parse(text: string): Model;
export function parse(text: Buffer): Model;
export function parse(text: any): Model { return load<Model>(text as string)!; }

@Component({ selector: 'app', template: tpl })
export class Service<K> extends Repo<K> implements Disposable, ns.Other {
  @Input() title: string = 'x';
  private readonly cache = new Map<string, K>();
  declare hidden: number;
  constructor(private store: Store, public readonly name: string, plain: number) { super(); }
  @Get('/all')
  @Auth()
  async all(@Query() query: Params): Promise<K[]> { return this.store.find(query).items; }
  private helper = (x: K): x is K => typeof x === 'object';
  abstract run(): void;
  static #count = 0;
  get size(): number { return this.cache.size; }
}

export abstract class Base2 {
  abstract area(): number;
  protected abstract readonly sides: number;
}

export = Service;
function assertIsString(val: any): asserts val is string {}
const x = <T,>(y: T) => y satisfies Model;
let fn: typeof load;
const keyed = { 'quoted-key': () => 1, plain: Color.Red } as const;

function described(this: Named, other: unknown): string {
  const told = () => this.describe();
  if (other instanceof Named && other.known) {
    return other.describe();
  }
  return told();
}
