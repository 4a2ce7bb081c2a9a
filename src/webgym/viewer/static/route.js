// Where one is, as the part of the address after #: it can be copied, bookmarked and sent.

export function read(hash = location.hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  let parts;
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    parts = [];
  }
  const params = {};
  for (const [name, value] of new URLSearchParams(query ?? "")) (params[name] ??= []).push(value);
  return { parts, params };
}

export const one = (route, name, otherwise = "") => route.params[name]?.at(-1) ?? otherwise;

export function link(parts, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== "") query.append(name, item);
    }
  }
  const text = query.toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

export function go(parts, params) {
  location.hash = link(parts, params);
}

/** Change the address without a new entry in the browser's history. */
export function amend(parts, params) {
  const to = link(parts, params);
  if (to === location.hash) return;
  history.replaceState(history.state, "", to);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
