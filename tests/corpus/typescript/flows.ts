import type { Options } from './options';
import fs = require('fs');
export { default as Parser } from './parser';
export * as shapes from './shapes';

export const store: Store = createStore();
export let active: Session | undefined;
const byName = new Map<string, Session>();
const defaults = { retries: 3, host: 'x' } satisfies Partial<Options>;
export const pick = <T extends Shape, K = T>(items: T[], key: K): T => items.find((each) => each.key === key)!;
export default defineConfig({ plugins: [] });

export type Handler<E> = (event: E) => void;
export type Alias = Session;
export type Maybe<T> = T | null;
export type Unwrap<T> = T extends Promise<infer U> ? U : never;
export type Flags<T> = { [K in keyof T]: boolean } & { readonly all: Session };
export type Table = { [name: string]: Session; first: Session };

export interface Repo<T extends Entity> {
  items: T[];
  byId: Record<string, T>;
  parent?: Repo<Entity> | null;
  find(id: string, options?: Options): Promise<T | undefined>;
  each(callback: (item: T) => void): this;
  readonly size: number;
}

export class Service<K extends Entity> implements Repo<K> {
  private cache: Map<string, K> = new Map();
  sessions: ReadonlyArray<Session> = [];
  handler?: Handler<K>;
  lazy = new Lazy();
  constructor(
    private readonly store: Store,
    @Inject() public logger?: Logger,
    readonly clock = new Clock(),
    plain: Options,
  ) {
    this.extra = plain;
    store.open();
    this.store.open();
  }
  get current(): Session { return this.sessions[0]; }
  get<T>(key: string): T;
  get(key: any): any { return this.cache.get(key) as K; }
  chain() { return this; }
  async load(id: string): Promise<K> {
    const found = await this.store.find<K>(id);
    const session = found as unknown as Session;
    session.end();
    (<Session>found).end();
    found!.id;
    (found as K).id;
    let late;
    late = new Late(id);
    late.run();
    const typed: Options = { timeout: 3, retries: { max: 1 } };
    for (const each of this.sessions) each.end();
    for (const value of Object.values(this.byId)) value.end();
    this.sessions.map((s) => s.id).join();
    const { id: key, ...more }: Session = session;
    return found;
  }
}

export abstract class Shape {
  abstract area(scale: number): number;
  protected abstract sides: Side[];
  static of(this: void, kind: typeof Shape, maker: new () => Shape): Shape { return new maker(); }
}

export namespace Geometry.Flat {
  export const origin = new Point();
  const hidden: Point[] = [];
  export function area(shape: Shape, [w, h]: [number, number] = [1, 1]) { return shape.area(w * h); }
}

declare module './options' {
  interface Options { added: Session }
}

declare global {
  var shared: Service<Entity>;
}

export function isSession(value: unknown): value is Session {
  try {
    return value instanceof Session;
  } catch (error: unknown) {
    throw error;
  }
}

function overload(a: string): Session;
function overload(a: number): Store;
function overload(a: any) {
  return a ? store : createStore();
}

enum Level { Low = 1, High = Low << 2 }
