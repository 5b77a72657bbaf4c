import { isDarwin } from "./platform";

/** Keys by name. */
export const KEYS = {
  ENTER: "Enter",
  CTRL: isDarwin ? "metaKey" : "ctrlKey",
  side: { left: 1, deeper: { deepest: 2, tooDeep: { way: 3 } } },
  press: () => 1,
  "quoted-key": 2,
  list: [{ item: 1 }],
} as const;

export const FROZEN = Object.freeze({ RED: "red" });
export const labels: Record<string, string> = { one: "1" };
const satisfied = { two: "2" } satisfies Record<string, string>;

// Members of a type that is written, and options.
const typed: Options = { name: "x" };
const held = { name: "x" } satisfies Options;
const called = make({ option: 1 });

function press() {
  const local = { inside: KEYS.ENTER };
  return local.inside + KEYS.side.left + FROZEN.RED + labels.one + satisfied.two + typed.name + called;
}
