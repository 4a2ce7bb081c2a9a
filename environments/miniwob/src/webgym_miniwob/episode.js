// Appended to MiniWoB's core.js, the first script of every page, with its placeholder replaced by what this load is about.
(() => {
  const { seed, nonce, report } = __EPISODE__;
  const WIDTH = 160;
  const HEIGHT = 210;
  const NEVER = 2_000_000_000; // milliseconds: the longest timer that browsers allow is a little longer
  const root = document.documentElement;

  // The server waits for this before it answers, so whoever observes the page afterwards finds the report there.
  const tell = (what) => {
    const request = new XMLHttpRequest();
    request.open("POST", report, false);
    request.setRequestHeader("X-Episode", nonce);
    request.setRequestHeader("Content-Type", "application/json");
    request.send(JSON.stringify(what));
  };

  // The page is enlarged as a whole. In its scripts, which the server has edited to use these names, it still measures
  // 160 by 210; everybody else sees where things really are.
  let scale = 1;
  const fit = () => {
    scale = Math.min(window.innerWidth / WIDTH, window.innerHeight / HEIGHT);
    root.style.setProperty("--webgym-scale", scale);
  };
  const define = (owner, name, get) => Object.defineProperty(owner, name, { get, configurable: true });
  for (const axis of ["X", "Y"]) {
    define(MouseEvent.prototype, `wobClient${axis}`, function () { return this[`client${axis}`] / scale; });
    define(MouseEvent.prototype, `wobPage${axis}`, function () { return this[`page${axis}`] / scale; });
    define(window, `wobPage${axis}Offset`, () => window[`page${axis}Offset`] / scale);
  }
  for (const side of ["Width", "Height"]) {
    define(window, `wobInner${side}`, () => window[`inner${side}`] / scale);
    define(Element.prototype, `wobClient${side}`, function () {
      return this === root ? this[`client${side}`] / scale : this[`client${side}`];
    });
  }
  const rect = function () {
    const { x, y, width, height } = this.getBoundingClientRect();
    return new DOMRect(x / scale, y / scale, width / scale, height / scale);
  };
  Element.prototype.wobRect = rect;
  Range.prototype.wobRect = rect;
  SVGGraphicsElement.prototype.wobScreenCTM = function () {
    const svg = this.ownerSVGElement ?? this;
    return svg.createSVGMatrix().scale(1 / scale).multiply(this.getScreenCTM());
  };
  fit();
  window.addEventListener("resize", fit);

  // Pages draw when they are loaded, too.
  Math.seedrandom(seed);
  core.countdownTimer = () => {};
  const utterance = core.getUtterance; // some pages replace it
  let begun = false;
  core.startEpisode = () => {
    if (begun) return; // the page asks for the next episode when one has ended
    begun = true;
    core.createDisplay();
    core.cover_div = document.createElement("div");
    core.EPISODE_MAX_TIME = NEVER;
    Math.seedrandom(seed);
    core.startEpisodeReal();
    tell({ utterance: utterance() });
  };
  const end = core.endEpisode;
  core.endEpisode = (reward, timed, reason) => {
    if (core.EP_TIMER === null) return; // over, or not begun
    end(reward, timed, reason);
    tell({ reward: WOB_RAW_REWARD_GLOBAL, reason: WOB_REWARD_REASON ?? "" });
  };
})();
