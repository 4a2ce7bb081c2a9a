// Lines, bands and stacked columns as SVG paths: one for each series, however many iterations there are.

import { svg } from "./dom.js";

const MOST_DOTS = 60;
const SMOOTH = 0.8;
const WIDER = 12;
const WIDEST = 46;
const two = (value) => value.toFixed(2);

const tinted = (colour) => ({ "--colour": colour });

function bandPath(points, x, y) {
  const known = points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (known.length < 2) {
    // One interval alone is a stroke from end to end.
    return known.map((point) => `M${two(x(point.x))} ${two(y(point.low))}V${two(y(point.high))}`).join("");
  }
  const over = known.map((point) => `${two(x(point.x))} ${two(y(point.high))}`);
  const under = known.toReversed().map((point) => `${two(x(point.x))} ${two(y(point.low))}`);
  return `M${over.join("L")}L${under.join("L")}Z`;
}

export const bands = (series, x, y) =>
  series
    .filter((one) => one.points.some((point) => point.low !== undefined))
    .map((one) => svg("path", { class: one.points.length < 2 ? "band alone" : "band", place: tinted(one.colour), d: bandPath(one.points, x, y) }));

// Those that matter most are drawn last, over the others.
const ordered = (series) => series.toSorted((a, b) => Boolean(a.strong) - Boolean(b.strong));

const linePath = (points, x, y) => points.map((point, at) => `${at ? "L" : "M"}${two(x(point.x))} ${two(y(point.y))}`).join("");

// An exponential mean of what came before; at the beginning it is of the few that there are.
function smoothed(points) {
  let sum = 0;
  let weight = 0;
  return points.map((point) => {
    sum = sum * SMOOTH + point.y;
    weight = weight * SMOOTH + 1;
    return { x: point.x, y: sum / weight };
  });
}

export const lines = (series, x, y, smooth) =>
  ordered(series).flatMap((one) => {
    const look = ["curve", one.dashed && "dashed", one.strong && "strong"].filter(Boolean).join(" ");
    const line = (name, points) => svg("path", { class: name, "data-series": one.key, place: tinted(one.colour), d: linePath(points, x, y) });
    return smooth ? [line(`${look} raw`, one.points), line(look, smoothed(one.points))] : [line(look, one.points)];
  });

export const dots = (series, x, y) =>
  ordered(series)
    .filter((one) => one.points.length <= MOST_DOTS)
    .flatMap((one) =>
      one.points.map((point) =>
        svg("circle", { class: one.dashed ? "dot hollow" : "dot", place: tinted(one.colour), cx: two(x(point.x)), cy: two(y(point.y)), r: (one.points.length > 30 ? 1.8 : 2.6) + (one.strong ? 1 : 0) }),
      ),
    );

// A column is as wide as its iteration, or a little wider where those next to it have none.
function columnWidth(xs, x) {
  let least = Infinity;
  for (let at = 1; at < xs.length; at += 1) least = Math.min(least, xs[at] - xs[at - 1]);
  const slot = x(1) - x(0);
  const room = Math.min(slot * (Number.isFinite(least) ? least : 1), Math.max(slot, WIDER));
  return Math.min(WIDEST, room > 6 ? room - Math.min(6, room * 0.22) : room);
}

/** Columns, each series on top of those before it. */
export function columns(series, x, y) {
  const xs = [...new Set(series.flatMap((one) => one.points.map((point) => point.x)))].sort((a, b) => a - b);
  const width = columnWidth(xs, x);
  const reached = new Map(xs.map((at) => [at, 0]));
  return series.map((one) => {
    const parts = one.points
      .filter((point) => point.y > 0)
      .map((point) => {
        const from = reached.get(point.x);
        reached.set(point.x, from + point.y);
        const top = y(from + point.y);
        return `M${two(x(point.x) - width / 2)} ${two(top)}h${two(width)}V${two(y(from))}h${two(-width)}Z`;
      });
    return svg("path", { class: "columns", "data-series": one.key, place: tinted(one.colour), d: parts.join("") });
  });
}
