// Functions that are handed on, and objects that stand where a type says what is expected.
export type Handler = (context: Context, next: () => Promise<void>) => Reply;

export interface Route<T> {
  (path: string, handler: Handler): Reply;
  (...handlers: [Handler, Handler]): Reply;
}

export interface Single {
  <T extends Handler>(this: Route<T>, one: T): Reply;
}

export type Made = { (first: string): Reply; member: () => Reply };

export class App {
  get!: Route<Handler>;
  maker: () => Reply;
  use<T, U extends T>({ one, two: other }: Options, [three]: string[], last?: (reply: Reply) => void) {
    const inner = (value: Reply) => value;
    return inner;
  }
  rest(...handlers: Handler[]) {}
}

export function wrap(app: App) {
  app.get('/', (context) => context.reply);
  app.get<Handler>('/', async ({ reply }, next) => next(), (context) => context);
  new Store({ base: 1, on: (reply) => reply, list: [{ base: 2 }] }, function (a, b) {});
  app.use({ one() { return 1; }, get two() { return 2; }, nested: { key: true } });
  const handler: Handler = (context) => context.reply;
  app!.get(flag ? (context) => context : ((context) => context));
  return { base: 1 } as Options;
}

export const make = (options: Options): Options => ({ base: options.base });
