// What the other scripts share: arriving on a page or part, fetching views, cookies.
const visitors = [];

// Registers what to do with every part that arrives: the whole document, or what was put into it later. Behaviour that
// only answers events needs none of this: it listens on the document.
export const onArrive = (visitor) => visitors.push(visitor);

export const arrive = (root = document) => {
  for (const visitor of visitors) visitor(root);
  document.dispatchEvent(new CustomEvent("kit:arrive", { detail: root }));
};

export const fetchView = (url, init = {}) => fetch(url, { ...init, headers: { "X-View": "1", ...init.headers } });

// Part of a page, not a page that somebody went to.
export const fetchPart = async (url) => {
  const response = await fetchView(url, { headers: { "X-Part": "1" } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return parse(await response.text());
};

export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

export const cookie = (name) => document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));

export const setCookie = (name, value) => { document.cookie = `${name}=${value}; path=/; SameSite=Lax`; };

export const isSmall = () => matchMedia("(max-width: 640px), (max-height: 420px)").matches;

export const isPlainClick = (event) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

// Tells forms and scripts that a control of the kit's own has a new value.
export const changed = (input) => {
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
};
