// Elements made from data. Text that somebody else wrote stays text: no markup is ever parsed.

const SVG = "http://www.w3.org/2000/svg";

function assign(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) {
    node.addEventListener(name.slice(2), value);
  } else if (name === "place") {
    for (const [property, size] of Object.entries(value)) node.style.setProperty(property, size);
  } else if (name === "src" && !value.startsWith("data:image/")) {
    throw new Error("a picture from elsewhere");
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}

const kept = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");

function build(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) assign(node, name, value);
  node.append(...kept(children));
  return node;
}

export const h = (tag, props, ...children) => build(document.createElement(tag), props, children);
export const svg = (tag, props, ...children) => build(document.createElementNS(SVG, tag), props, children);

export function fill(node, ...children) {
  node.replaceChildren(...kept(children));
  return node;
}

// Touches the page only if something is new.
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
