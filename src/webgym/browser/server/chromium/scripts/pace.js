// In pages and in workers, whose global object is called `window` here too.
// Some calls cost a page nothing and the browser, which all sessions share, a lot: a page that makes them without end
// delays every other page. So their cost is added up, and a page that spends more than its share of the browser's time
// waits here, in its own process, until it has some left.
const BURST_MS = 200;
const SHARE = 0.2;
const COSTS_MS = [
  // Roughly, of the browser's process.
  [window, "open", 20],
  [window, "print", 1],
  [window.HTMLElement?.prototype, "click", 0.2],
  [window.HTMLInputElement?.prototype, "showPicker", 1],
  [window.Worker?.prototype, "terminate", 0.5],
  [window.URL, "createObjectURL", 0.1],
  [window.BroadcastChannel?.prototype, "postMessage", 0.1],
  [window.CookieStore?.prototype, "set", 0.1],
  [window.Storage?.prototype, "setItem", 0.02],
  [window.IDBFactory?.prototype, "open", 0.5],
  [window.CacheStorage?.prototype, "open", 0.5],
  [window.LockManager?.prototype, "request", 0.1],
  [window.Permissions?.prototype, "query", 0.1],
  [window.Notification, "requestPermission", 0.5],
  [window.Geolocation?.prototype, "getCurrentPosition", 0.5],
  [window.Geolocation?.prototype, "watchPosition", 0.5],
  [window.MediaDevices?.prototype, "getUserMedia", 0.5],
  [window.MediaDevices?.prototype, "enumerateDevices", 0.5],
  [window.Clipboard?.prototype, "readText", 0.2],
  [window.Clipboard?.prototype, "writeText", 0.2],
  [window.Element?.prototype, "requestFullscreen", 0.5],
  [window.Element?.prototype, "requestPointerLock", 0.5],
];
const CONSTRUCTORS_MS = [["Worker", 4], ["SharedWorker", 4], ["WebSocket", 0.5], ["EventSource", 0.2], ["Notification", 1]];
const DOWNLOAD_MS = 20;

const clock = performance.now.bind(performance);
let debt = 0;
let counted = clock();
const recover = () => {
  const now = clock();
  debt = Math.max(0, debt - (now - counted) * SHARE);
  counted = now;
};
const charge = (ms) => {
  recover();
  debt += ms;
  while (debt > BURST_MS) recover();
};

for (const [owner, name, ms] of COSTS_MS) {
  if (typeof owner?.[name] !== "function") continue;
  owner[name] = new Proxy(owner[name], { apply(target, self, args) { charge(ms); return call(target, self, args); } });
}
for (const [name, ms] of CONSTRUCTORS_MS) {
  if (typeof window[name] !== "function") continue;
  window[name] = new Proxy(window[name], {
    construct(target, args, made) { charge(ms); return Reflect.construct(target, args, made); },
  });
}
if (window.navigation) {
  call(EventTarget.prototype.addEventListener, navigation, ["navigate", ({ downloadRequest }) => {
    if (downloadRequest !== null) charge(DOWNLOAD_MS);
  }, { capture: true, passive: true }]);
}
