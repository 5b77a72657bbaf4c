import def, * as ns from './ns.js';
import { a, b as c, default as d } from "../lib/index.js";
import './effect.css';
export { a, c as renamed };
export * from './all';
export * as everything from './everything';
export { x as default, y } from './xy';
export const first = 1, second = two();
export const arrow = async (x) => x + 1;
export default class Widget extends Base(ns.Mixin) {
  #secret = 1;
  static count = 0;
  onClick = (event) => { this.#secret = event.target.value; };
  constructor(props) { super(props); }
  get value() { return this.#secret; }
  set value(v) { this.#secret = v; }
  async *items() { yield* this.list(); }
  ['computed' + a]() {}
}
let counter = 0;
counter += 1;
const api = {
  get(url) { return fetch(url); },
  post: async function (url, body) { return fetch(url, { method: 'POST', body }); },
  put: (url) => request(url),
  limit: 10,
};
const { left, right: [r], ...rest } = api;
function* gen() {}
function outer() {
  const local = 1;
  const nested = () => local;
  class Inner { run() { return new Widget(); } }
  return { nested, Inner };
}
const lazy = () => import('./lazy.js');
const View = () => <Panel title="x" onOpen={open}><div>{value}</div><ns.Item {...rest} /></Panel>;
label: for (const item of list) { if (item?.next?.prev) continue label; }
