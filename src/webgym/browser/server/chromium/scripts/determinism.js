// Seeds the random number generator in every document, and shifts the clock to start at a given time.
{
  const { seed, epoch, started } = settings;

  // mulberry32: small, fast, and good enough for pages that shuffle and pick.
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  Math.random = () => next() / 2 ** 32;
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = next() & 255;
    return array;
  };
  Crypto.prototype.getRandomValues = fill;
  if (Crypto.prototype.randomUUID) {
    Crypto.prototype.randomUUID = () => {
      const bytes = fill(new Uint8Array(16));
      bytes[6] = (bytes[6] & 15) | 64;
      bytes[8] = (bytes[8] & 63) | 128;
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    };
  }

  const RealDate = Date;
  const shift = epoch - started;
  const now = () => RealDate.now() + shift;
  const SessionDate = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
    get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
  RealDate.prototype.constructor = SessionDate;
  window.Date = SessionDate;
  const origin = performance.timeOrigin + shift;
  Object.defineProperty(Performance.prototype, "timeOrigin", { get: () => origin, configurable: true });

  const { format } = Object.getOwnPropertyDescriptors(Intl.DateTimeFormat.prototype);
  Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    ...format,
    get() {
      const real = Reflect.apply(format.get, this, []);
      return (date = now()) => real(date);
    },
  });
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatToParts = function (date = now()) {
    return Reflect.apply(formatToParts, this, [date]);
  };

  if (globalThis.Temporal) {
    const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
    const instant = () => Temporal.Instant.fromEpochMilliseconds(now());
    const zoned = (zone = here()) => instant().toZonedDateTimeISO(zone);
    Temporal.Now.instant = instant;
    Temporal.Now.zonedDateTimeISO = zoned;
    Temporal.Now.plainDateTimeISO = (zone) => zoned(zone).toPlainDateTime();
    Temporal.Now.plainDateISO = (zone) => zoned(zone).toPlainDate();
    Temporal.Now.plainTimeISO = (zone) => zoned(zone).toPlainTime();
  }
}
