// What gets in the way: a cookie banner, an offer on the first visit, an announcement that pushes the page down.
import { cookie, onArrive, setCookie } from "./core.js";
import { openOverlay } from "./overlays.js";

const PROMO_MS = 300;
const SHIFT_MS = 600;
const bring = (name) => {
  const template = document.querySelector(`template[data-nuisance="${name}"]`);
  return template ? document.importNode(template.content, true).firstElementChild : null;
};

const floor = () => {
  const banner = document.querySelector(".cookies");
  const height = `${banner ? banner.offsetHeight : 0}px`;
  for (const part of [document.body, ...document.querySelectorAll("[data-floor]")]) part.style.setProperty("--floor", height);
};

const askConsent = () => {
  const banner = !cookie("consent") && !document.querySelector(".cookies") && bring("cookies");
  if (!banner) return;
  document.body.append(banner);
  floor();
};

const offer = () => {
  const promo = !cookie("promo") && !document.querySelector("[data-overlay=promo]") && bring("promo");
  if (!promo) return;
  setCookie("promo", "seen");
  document.body.append(promo);
  openOverlay(promo);
};

const announce = () => {
  const bar = !document.querySelector(".announcement") && bring("shift");
  if (bar) document.body.prepend(bar);
};

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-consent]");
  if (!button) return;
  setCookie("consent", button.dataset.consent);
  button.closest(".cookies").remove();
  floor();
});
addEventListener("resize", floor);

onArrive((root) => {
  if (root !== document || document.body.classList.contains("shell")) return;
  askConsent();
  if (bring("promo") && !cookie("promo")) setTimeout(offer, PROMO_MS);
  if ("shift" in document.body.dataset) setTimeout(announce, SHIFT_MS);
});
