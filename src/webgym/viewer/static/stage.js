// A screenshot with the action drawn on it.

import { picture } from "./api.js";
import { h, svg } from "./dom.js";
import { describe } from "./words.js";

/**
 * What was seen, with what was then done.
 * `small` draws thick and without words, for thumbnails.
 */
export function stage(run, step, seen, { small = false, labelled = false, drawn = true } = {}) {
  const view = seen.viewport;
  const address = labelled && seen.labelled ? seen.labelled : seen.screenshot || seen.labelled;
  const frame = h("div", { class: "shot", place: { "aspect-ratio": `${view.width ?? 1280} / ${view.height ?? 768}` } });
  if (address) {
    const image = h("img", {
      src: picture(run, address, small ? 400 : undefined),
      alt: small ? "" : "What the agent saw",
      loading: small && "lazy",
      decoding: "async",
      draggable: "false",
    });
    image.addEventListener("error", () => image.replaceWith(missing("This screenshot cannot be displayed")));
    frame.append(image);
  } else {
    frame.append(missing("No screenshot"));
  }
  if (step && drawn) frame.append(...drawing(step, { width: view.width ?? 1280, height: view.height ?? 768 }, small));
  return frame;
}

const missing = (text) => h("div", { class: "missing" }, text);

function drawing(step, view, small) {
  const { at, to } = step.aim;
  const kind = step.action?.kind;
  const layer = svg("svg", {
    class: ["drawn", small && "small"],
    viewBox: `0 0 ${view.width} ${view.height}`,
    "aria-hidden": "true",
    "data-action": kind ?? "malformed",
  });
  const radius = view.width / (small ? 22 : 72);
  for (const spot of [at, to]) {
    if (spot?.box && !small) {
      layer.append(
        svg("rect", {
          class: "target",
          x: spot.box.x,
          y: spot.box.y,
          width: Math.max(1, spot.box.width),
          height: Math.max(1, spot.box.height),
          rx: 4,
        }),
      );
    }
  }
  if (kind === "drag" && at && to) layer.append(arrow(at, to, radius), ring(at, radius * 0.7));
  else if (kind === "scroll" && at) layer.append(scrollArrow(step.action, at, view, radius));
  else if (at)
    layer.append(ring(at, radius, kind === "hover"), ...(step.action.count > 1 ? [ring(at, radius * 1.6)] : []));
  const parts = [layer];
  if (!small) parts.push(bubble(step, at, view));
  return parts;
}

const ring = (spot, radius, hover) =>
  svg(
    "g",
    { class: hover ? "ring hover" : "ring" },
    svg("circle", { class: "halo", cx: spot.x, cy: spot.y, r: radius }),
    svg("circle", { class: "line", cx: spot.x, cy: spot.y, r: radius }),
    svg("circle", { class: "core", cx: spot.x, cy: spot.y, r: radius / 5 }),
  );

function arrow(from, to, radius) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const head = radius * 1.3;
  const corner = (turn) => `${to.x - head * Math.cos(angle + turn)},${to.y - head * Math.sin(angle + turn)}`;
  const end = { x: to.x - head * 0.7 * Math.cos(angle), y: to.y - head * 0.7 * Math.sin(angle) };
  return svg(
    "g",
    { class: "arrow" },
    svg("line", { class: "halo", x1: from.x, y1: from.y, x2: end.x, y2: end.y }),
    svg("line", { class: "line", x1: from.x, y1: from.y, x2: end.x, y2: end.y }),
    svg("polygon", { class: "core", points: `${to.x},${to.y} ${corner(0.5)} ${corner(-0.5)}` }),
  );
}

function scrollArrow(action, at, view, radius) {
  const [dx, dy] = [action.dx ?? 0, action.dy ?? 0];
  const far = Math.hypot(dx, dy) || 1;
  const length = Math.max(radius * 4, Math.min(far, view.height / 2.5));
  const half = { x: ((dx / far) * length) / 2, y: ((dy / far) * length) / 2 };
  return arrow({ x: at.x - half.x, y: at.y - half.y }, { x: at.x + half.x, y: at.y + half.y }, radius);
}

/** The action in words, beside where it points, kept inside the picture. */
function bubble(step, at, view) {
  const malformed = !step.action;
  const text = malformed ? "No action in this response" : describe(step.action);
  const short = text.length > 90 ? `${text.slice(0, 89)}…` : text;
  const place = {};
  if (at && step.action.kind !== "scroll") {
    const box = at.box ?? { x: at.x, y: at.y, width: 0, height: 0 };
    const bottom = Math.max(at.y + view.height / 30, box.y + box.height);
    const below = bottom < view.height * 0.86;
    if (at.x < view.width * 0.6) place.left = `${(Math.max(0, at.x) / view.width) * 100}%`;
    else place.right = `${(1 - Math.min(view.width, at.x) / view.width) * 100}%`;
    if (below) place.top = `${(Math.max(0, bottom) / view.height) * 100 + 1}%`;
    else place.bottom = `${(1 - Math.min(at.y - view.height / 30, box.y) / view.height) * 100 + 1}%`;
  } else {
    place.left = "50%";
    place.bottom = "3%";
  }
  return h(
    "span",
    { class: ["bubble", malformed && "wrong", !(at && step.action?.kind !== "scroll") && "middle"], place },
    h("bdi", null, short),
  );
}
