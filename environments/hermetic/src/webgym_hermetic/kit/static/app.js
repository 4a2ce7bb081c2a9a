// Single-page sites: links and forms are fetched, and the body of the answer takes the place of this one.
import { arrive, fetchView, isPlainClick, parse } from "./core.js";

const isApp = document.documentElement.dataset.shell === "app";
const html = document.documentElement;
let latest = 0;
let shown = location.pathname + location.search;

const adopt = (view) => {
  document.title = view.title;
  for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
  for (const { name, value } of view.body.attributes) document.body.setAttribute(name, value);
  document.body.replaceChildren(...view.body.childNodes);
};

const land = (hash, y) => {
  const place = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (place) place.scrollIntoView();
  else scrollTo(0, y);
  document.body.querySelector("[autofocus]")?.focus({ preventScroll: true });
};

// remember: what becomes of the address. push: a new entry; keep: it is there already.
const go = async (url, { init = {}, remember = "push", y = 0 } = {}) => {
  const mine = ++latest;
  html.setAttribute("data-busy", "");
  try {
    const response = await fetchView(url, init);
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    const text = isPage ? await response.text() : "";
    if (mine !== latest) return;
    if (!isPage) {
      location.assign(url);
      return;
    }
    const target = new URL(response.url || url, location.href);
    target.hash = target.hash || new URL(url, location.href).hash;
    const failedPost = init.method === "POST" && !response.ok; // trying again leads back to the form
    if (remember === "push" && !failedPost) {
      history.replaceState({ y: scrollY }, "");
      history[target.href === location.href ? "replaceState" : "pushState"]({ y: 0 }, "", target);
    }
    adopt(parse(text));
    land(location.hash, y);
    shown = location.pathname + location.search;
    arrive();
  } catch (error) {
    if (mine !== latest) return;
    console.error(error);
    if ((init.method ?? "GET") === "GET" && remember === "push") location.assign(url);
  } finally {
    if (mine === latest) html.removeAttribute("data-busy");
  }
};

const onClick = (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || !isPlainClick(event)) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  const samePage = link.pathname + link.search === location.pathname + location.search;
  if (samePage && link.hash) return;
  event.preventDefault();
  go(link.href);
};

const onSubmit = (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.target) return;
  const url = new URL(submitter?.getAttribute("formaction") || form.getAttribute("action") || location.href, location.href);
  if (url.origin !== location.origin) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, submitter));
  if (form.method === "post") {
    submitter?.setAttribute("aria-busy", "true");
    go(url.href, { init: { method: "POST", body: fields } });
    return;
  }
  url.search = fields;
  go(url.href);
};

const onPop = (event) => {
  if (location.pathname + location.search === shown) return;
  go(location.href, { remember: "keep", y: event.state?.y ?? 0 });
};

export const startApp = () => {
  if (!isApp) return;
  history.scrollRestoration = "manual";
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit);
  addEventListener("popstate", onPop);
  if (document.querySelector("[data-shell-view]")) go(location.href, { remember: "keep" });
};
