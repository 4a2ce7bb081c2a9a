// Records which elements have pointer listeners of their own: `addEventListener` leaves no other trace that a script sees.
//
// Pages must not notice: the functions stay Proxies of the native ones, which are called first; the arguments are read
// without calling accessors; elements are held weakly, listeners as long as the browser holds them.
{
  const BITS = { __proto__: null };
  [
    "click", "dblclick", "auxclick", "contextmenu", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart",
    "touchend", "dragstart",
  ].forEach((type, index) => { BITS[type] = 1 << index; });
  const CAPTURING = 16; // a listener may be there twice: for each phase
  const MOST = 32; // listeners of one element that are told apart; with more, it counts as listening for good
  const EVERY = (1 << CAPTURING) - 1;

  const { get, set, delete: drop } = WeakMap.prototype;
  const nodeType = getter(Node.prototype, "nodeType");
  const aborted = getter(AbortSignal.prototype, "aborted");
  const descriptor = Object.getOwnPropertyDescriptor;
  const listen = EventTarget.prototype.addEventListener;
  const listeners = new WeakMap(); // element → [listener, bits, listener, bits, …], or EVERY

  const isElement = (target) => {
    try {
      return nodeType(target) === 1;
    } catch {
      return false;
    }
  };
  const option = (options, name) =>
    options !== null && typeof options === "object" ? descriptor(options, name)?.value : undefined;
  const bitOf = (type, options) => {
    const bit = typeof type === "string" ? (BITS[type] ?? 0) : 0;
    return bit && (options === true || option(options, "capture")) ? bit << CAPTURING : bit;
  };

  const remember = (element, listener, bit) => {
    const known = call(get, listeners, [element]);
    if (known === EVERY) return;
    if (!known) {
      call(set, listeners, [element, [listener, bit]]);
      return;
    }
    for (let i = 0; i < known.length; i += 2) {
      if (known[i] === listener) {
        known[i + 1] |= bit;
        return;
      }
    }
    if (known.length < 2 * MOST) {
      known[known.length] = listener;
      known[known.length] = bit;
    } else call(set, listeners, [element, EVERY]);
  };

  const forget = (element, listener, bit) => {
    const known = call(get, listeners, [element]);
    if (!known || known === EVERY) return;
    for (let i = 0; i < known.length; i += 2) {
      if (known[i] !== listener) continue;
      known[i + 1] &= ~bit;
      if (!known[i + 1]) {
        known[i] = known[known.length - 2];
        known[i + 1] = known[known.length - 1];
        known.length -= 2;
      }
    }
    if (!known.length) call(drop, listeners, [element]);
  };

  // Listeners that the browser removes by itself.
  const expire = (element, type, listener, bit, options) => {
    const gone = () => forget(element, listener, bit);
    if (option(options, "once")) call(listen, element, [type, gone, { capture: bit > EVERY, once: true }]);
    const signal = option(options, "signal");
    if (signal) call(listen, signal, ["abort", gone, { once: true }]);
  };

  const wrap = (name, take) => {
    EventTarget.prototype[name] = new Proxy(EventTarget.prototype[name], {
      apply(target, self, args) {
        const result = call(target, self, args);
        const bit = bitOf(args[0], args[2]);
        const listener = args[1];
        const listens = typeof listener === "function" || (typeof listener === "object" && listener !== null);
        if (bit && listens && isElement(self)) take(self, listener, bit, args);
        return result;
      },
    });
  };
  wrap("addEventListener", (element, listener, bit, [type, , options]) => {
    const signal = option(options, "signal");
    if (signal && aborted(signal)) return;
    remember(element, listener, bit);
    if (options !== null && typeof options === "object") expire(element, type, listener, bit, options);
  });
  wrap("removeEventListener", forget);

  hub.listenedHere = (element) => {
    const known = call(get, listeners, [element]);
    if (!known || known === EVERY) return known ?? 0;
    let bits = 0;
    for (let i = 1; i < known.length; i += 2) bits |= known[i];
    return (bits | (bits >>> CAPTURING)) & EVERY;
  };
}
