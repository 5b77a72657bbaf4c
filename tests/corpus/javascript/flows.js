import { Client, make } from './client.js';

const client = new Client();
export const cache = new Map(), limit = 3;
let current = null;
let fallback;
export const shout = (text) => text.toUpperCase();
export const build = () => new Client();

if (limit > 2) {
  const inBlock = make();
  inBlock.run();
  var hoisted = make();
}
for (let i = 0; i < limit; i++) {
  const step = steps[i];
  step.run();
}
for (const [key, each] of cache) each.run(key);
for (var name in client) client[name].run();
try {
  client.connect();
} catch ({ message, cause: reason }) {
  report(message, reason.code);
}

function work(first, second = new Client(), { host, port: number = 80, ...others } = {}, [a, , b], ...rest) {
  var outer = first.parent;
  let result = null, count = 0;
  outer.go();
  if (count) {
    let outer = make();
    outer.run();
    var inner = new Inner();
  }
  inner.stop();
  result = new Result(outer);
  result.send();
  count = 1;
  fallback = new Client();
  current = make();
  rest.forEach(item => item.run());
  const pending = make().then(made => made.ready);
  const { left, right: { deep: deeper } } = first.pair;
  const list = [new Client(), second];
  const [head] = list;
  const chosen = first.left || second;
  const other = count ? chosen : first;
  const last = (list[list.length - 1]);
  const same = first?.next?.value;
  const kept = Object.create(Client.prototype);
  const text = `${first.name} ${host}`;
  const handlers = { run() {}, stop: () => 1 };
  handlers.run();
  switch (count) {
    case 1:
      const only = new Only();
      only.run();
  }
  return list.map((each) => {
    if (each) return each.id;
    return new Ignored();
  });
}

const named = function factorial(n) { return n < 2 ? 1 : n * factorial(n - 1); };
const Klass = class Hidden {
  make() { return new Hidden(); }
};
const memo = cached(function compute(x) { return x; });

async function fetchAll(urls) {
  const page = await client.get(urls[0]);
  for await (const chunk of page.chunks()) {
    chunk.use();
  }
  (await client.get(urls)).body;
  make(urls).name;
  [1, 2].join(', ');
  'a'.padStart(2);
  new Client().connect();
  (page || urls).size;
  return page;
}

class Service extends Client {
  store = new Store();
  #hidden = [];
  static shared = Service.create();
  constructor(options, { retries = 3 }) {
    super(options);
    this.options = options;
    this.queue = new Queue(retries);
    this.store = null;
    this.queue = null;
    this.onEnd = () => { this.ended = true; };
    options.each(function () { this.wrong = 1; });
  }
  static create() { return new this({}); }
  get size() { return this.queue.size; }
  chain() { super.chain(); return this; }
  find(id) {
    const found = this.store.find(id);
    if (!found) return null;
    return found;
  }
  [Symbol.iterator]() { const local = 1; return local; }
  static { const boot = make(); boot.run(); }
}

const View = ({ title, onOpen: open }) => <Panel title={title} onOpen={open} />;
client.send({ method: 'POST', body: make(), headers: {} });
