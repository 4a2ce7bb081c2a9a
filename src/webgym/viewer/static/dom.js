// Elements made from data. What pages and models wrote arrives here as text and stays text: no markup is ever parsed.

const SVG = "http://www.w3.org/2000/svg";
const OWN_ADDRESS = /^(#|\/api\/picture\?)/;

function assign(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) {
    node.addEventListener(name.slice(2), value);
  } else if (name === "class") {
    node.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
  } else if (name === "place") {
    for (const [property, size] of Object.entries(value)) node.style.setProperty(property, size);
  } else if ((name === "href" || name === "src") && !OWN_ADDRESS.test(value)) {
    throw new Error(`${name} leads elsewhere`);
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}

function build(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) assign(node, name, value);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (tag, props, ...children) => build(document.createElement(tag), props, children);
export const svg = (tag, props, ...children) => build(document.createElementNS(SVG, tag), props, children);

/** Text that somebody else wrote, kept apart from ours also where it is written right to left. */
export const said = (text, props) => h("bdi", props, text);

export function fill(node, ...children) {
  node.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}
