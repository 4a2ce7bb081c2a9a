// In pages and in workers, whose global object is called `window` here too.
// Nobody reads what pages log. Each message would cost its page, the browser and the worker more than the call is worth,
// and a page that logs without end would be ended for it (see allowance.py). So nothing reaches the inspector.
const SILENT = [
  "assert", "clear", "count", "countReset", "debug", "dir", "dirxml", "error", "group", "groupCollapsed", "groupEnd",
  "info", "log", "table", "time", "timeEnd", "timeLog", "trace", "warn",
];
const silence = (console) => {
  for (const name of SILENT) {
    if (typeof console?.[name] === "function") console[name] = new Proxy(console[name], { apply() {} });
  }
  if (typeof console?.context === "function") {
    console.context = new Proxy(console.context, { apply: (target, self, args) => silence(call(target, self, args)) });
  }
  return console;
};
silence(window.console);

// What pages throw is told to the inspector too, unless a listener prevents it. A few errors are nothing; of a flood, and
// of texts of megabytes, the rest is prevented.
const MOST_A_SECOND = 50;
const MOST_TEXT = 10_000;
const clock = performance.now.bind(performance);
const prevent = Event.prototype.preventDefault;
const lengthOf = ({ message, reason }) =>
  (typeof message === "string" ? message.length : typeof reason === "string" ? reason.length : 0);
let second = 0;
let told = 0;
for (const type of ["error", "unhandledrejection"]) {
  call(EventTarget.prototype.addEventListener, window, [type, (event) => {
    if (event.target !== window) return; // of an element that could not be loaded
    const now = Math.floor(clock() / 1000);
    told = now === second ? told + 1 : 1;
    second = now;
    if (told > MOST_A_SECOND || lengthOf(event) > MOST_TEXT) call(prevent, event, []);
  }, { capture: true }]);
}
