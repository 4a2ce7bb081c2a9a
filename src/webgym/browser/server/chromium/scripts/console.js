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
