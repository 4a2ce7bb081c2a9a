// The board as this page knows it: it starts from everything and follows by what changes.

const FIELDS = 6; // slot, state, step, tries, since, began

export class Board {
  constructor(about) {
    this.about = about;
    this.states = about.states; // number -> [status, operation]
    this.firstEnded = about.states.length - about.outcomes.length;
    this.forget();
  }

  forget() {
    this.size = 0;
    this.names = []; // slot -> [slot, attempt, task, site, level, group]
    this.state = new Uint8Array(0);
    this.step = new Uint32Array(0);
    this.tries = new Uint32Array(0);
    this.since = new Float64Array(0);
    this.began = new Float64Array(0);
    this.totals = null;
    this.elapsed = 0;
    this.over = false;
  }

  // Returns the slots that changed and whether any has a new occupant.
  apply(update) {
    if (update.since === 0) this.forget();
    this.elapsed = update.elapsed;
    this.heard = performance.now();
    this.over = update.over;
    this.totals = update.totals;
    for (const named of update.named) this.names[named[0]] = named;
    this.grow(this.names.length);
    const slots = [];
    const cells = update.cells;
    for (let at = 0; at < cells.length; at += FIELDS) {
      const slot = cells[at];
      this.state[slot] = cells[at + 1];
      this.step[slot] = cells[at + 2];
      this.tries[slot] = cells[at + 3];
      this.since[slot] = cells[at + 4] / 10;
      this.began[slot] = cells[at + 5] / 10;
      slots.push(slot);
    }
    return { slots, renamed: update.named.length > 0, fresh: update.since === 0 };
  }

  grow(size) {
    if (size > this.state.length) {
      for (const name of ["state", "step", "tries", "since", "began"]) {
        const larger = new this[name].constructor(Math.max(64, size * 2));
        larger.set(this[name]);
        this[name] = larger;
      }
    }
    this.size = size;
  }

  // Seconds since the board began, by this page's own clock between updates.
  now() {
    if (this.over || this.heard === undefined) return this.elapsed;
    return this.elapsed + (performance.now() - this.heard) / 1000;
  }

  status(slot) { return this.states[this.state[slot]][0]; }
  operation(slot) { return this.states[this.state[slot]][1]; }
  attempt(slot) { return this.names[slot][1]; }

  slotOf(attempt) { return this.names.findIndex((named) => named !== undefined && named[1] === attempt); }

  byStatus() {
    const counts = Object.fromEntries(this.about.statuses.map((status) => [status, 0]));
    this.totals.counts.forEach((count, state) => { counts[this.states[state][0]] += count; });
    return counts;
  }
}
