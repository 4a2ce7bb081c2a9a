// Lists that the keyboard walks through.

export function walker(container, selector) {
  const items = () => [...container.querySelectorAll(selector)];
  const at = () => items().findIndex((item) => item.classList.contains("at"));
  function put(index) {
    const all = items();
    if (!all.length) return;
    const to = Math.max(0, Math.min(all.length - 1, index));
    for (const item of all) item.classList.toggle("at", item === all[to]);
    all[to].scrollIntoView({ block: "nearest" });
  }
  const open = () => items()[at()]?.querySelector("a[href]")?.click();
  return {
    put,
    at,
    keys: [
      { keys: ["j", "ArrowDown"], does: "Next in the list", run: () => put(at() + 1) },
      { keys: ["k", "ArrowUp"], does: "Previous in the list", run: () => put(at() < 0 ? 0 : at() - 1) },
      { keys: ["Enter"], does: "Open", run: open },
    ],
  };
}
