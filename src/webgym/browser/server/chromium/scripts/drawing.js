// hub.filtered() tells how much of the viewport, counted once per element, is drawn through filters. All pages are drawn
// by one thread of the browser, so a page with hundreds of blurred layers holds up every other page (see drawing.py).
const MOST_MS = 100;
const ALL = Document.prototype.querySelectorAll;
const rectOf = Element.prototype.getBoundingClientRect;
const styleOf = window.getComputedStyle.bind(window);
const now = performance.now.bind(performance);
const isFiltered = ({ filter, backdropFilter, mixBlendMode }) =>
  filter !== "none" || backdropFilter !== "none" || mixBlendMode !== "normal";
hub.filtered = () => {
  const until = now() + MOST_MS;
  const width = ofWindow.innerWidth(window);
  const height = ofWindow.innerHeight(window);
  const elements = call(ALL, document, ["*"]);
  let area = 0;
  for (let i = 0; i < elements.length && now() < until; i++) {
    if (!isFiltered(styleOf(elements[i]))) continue;
    const { left, top, right, bottom } = call(rectOf, elements[i], []);
    const x = Math.min(right, width) - Math.max(left, 0);
    const y = Math.min(bottom, height) - Math.max(top, 0);
    if (x > 0 && y > 0) area += x * y;
  }
  return area / Math.max(1, width * height);
};
