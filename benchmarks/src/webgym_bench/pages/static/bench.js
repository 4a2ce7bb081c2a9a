// What every page of the benchmark shares: the step counter, and a few ways to wait.
//
// The counter is the number of changes this browser has seen to their end. It is published twice, in the title and as
// a strip of black and white cells, so that a look taken too early is told by the record and by the pixels.
"use strict";

const CELLS = 10; // a black cell, eight bits of the counter (highest first), a black cell

const Bench = {
  step() {
    return Number(localStorage.getItem("step") ?? 0);
  },

  /** Call when everything that followed from the user's action is on the page. */
  done(label) {
    const step = Bench.step() + 1;
    localStorage.setItem("step", String(step));
    document.documentElement.dataset.step = String(step);
    document.title = `${step} · ${label}`;
    Bench.paint(step);
  },

  paint(step) {
    const bits = step.toString(2).padStart(8, "0").split("").map(Number);
    const cells = [1, ...bits, 1].slice(0, CELLS);
    document.getElementById("strip").innerHTML = cells.map((bit) => `<i class="${bit ? "on" : ""}"></i>`).join("");
  },

  pause(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  },

  async json(url, options) {
    const reply = await fetch(url, options);
    if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
    return reply.json();
  },

  /** The images inside the viewport, loaded and decoded. */
  async pictures() {
    const visible = [...document.images].filter((image) => {
      const box = image.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight && box.width > 0;
    });
    await Promise.all(visible.map((image) => image.decode().catch(() => undefined)));
  },

  async loaded() {
    if (document.readyState !== "complete") {
      await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    }
    await Bench.pictures();
  },

  money(cents) {
    return `$${(cents / 100).toFixed(2)}`;
  },

  cart() {
    const count = Number(localStorage.getItem("cart") ?? 0);
    document.getElementById("cart").textContent = String(count);
    return count;
  },
};

async function add(button) {
  button.textContent = "Adding…";
  const reply = await Bench.json("/api/cart", { method: "POST", body: button.dataset.id });
  localStorage.setItem("cart", String(Number(localStorage.getItem("cart") ?? 0) + 1));
  button.textContent = "In the cart";
  button.classList.add("added");
  Bench.done(`Cart: ${Bench.cart()}, ${reply.left} left`);
}

addEventListener("DOMContentLoaded", () => {
  Bench.cart();
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-id].add");
    if (button) add(button);
  });
});
