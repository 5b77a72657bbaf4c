export function load(value: string) {
  import("./chunk")
    .then(({ drawCode, other: renamed }) => {
      drawCode(value);
      renamed();
    })
    .catch(({ message }) => message);
  return import("./chunk").then((chunk) => chunk.drawCode(value));
}

async function wait() {
  const { awaited } = await import("./late");
  fetched().then(({ body }) => body);
  return awaited;
}
