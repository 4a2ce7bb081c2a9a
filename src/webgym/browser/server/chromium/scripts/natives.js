// Natives that pages may shadow (`let scrollY`, `class Node`, `var innerWidth = 0`), captured before any page script
// runs. The scripts that follow are in the same function scope, and so see these names instead of the page's.
const {
  Array, Boolean, CSSStyleSheet, DocumentTimeline, Element, Event, HTMLInputElement, HTMLLinkElement, HTMLScriptElement,
  HTMLTextAreaElement, Intl, JSON, Map, Math, Node, NodeFilter, Number, Object, Promise, Reflect, Set, String, Temporal,
  URL, Uint8Array, WeakRef, getComputedStyle, parseFloat,
} = window;
const call = Reflect.apply;
const getter = (owner, name) => {
  const get = Object.getOwnPropertyDescriptor(owner, name)?.get;
  return (object) => (get ? call(get, object, []) : undefined);
};
const ofWindow = {
  innerWidth: getter(window, "innerWidth"),
  innerHeight: getter(window, "innerHeight"),
  scrollX: getter(window, "scrollX"),
  scrollY: getter(window, "scrollY"),
  length: getter(window, "length"),
};
// For scripts that are evaluated later, on request.
hub.natives = () => ({
  JSON, Map, Math, Node, NodeFilter, Object, Set, getComputedStyle, parseFloat,
  innerWidth: ofWindow.innerWidth(window), innerHeight: ofWindow.innerHeight(window),
});
