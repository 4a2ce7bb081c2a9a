// The catalogue: filters and sorting ask the server, scrolling brings pictures in, the cart is told by a request.
"use strict";

const grid = document.getElementById("grid");
const words = new URLSearchParams(location.search).get("words") ?? "";
const filters = { category: "", sort: "featured", price: "", words };
let restingAt = 0;
let scrolled = 0;

async function show() {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  const reply = await Bench.json(`/api/products?${query}`);
  grid.innerHTML = reply.cards;
  document.getElementById("count").textContent = `${reply.count} products`;
  document.getElementById("heading").textContent = filters.category || "All products";
  history.replaceState(null, "", `/shop?${query}`);
  scrollTo(0, 0);
  await Bench.pause(0); // lazy pictures start to load after layout
  await Bench.pictures();
  Bench.done(`Shop: ${reply.count} products`);
}

document.querySelector(".side").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  for (const other of document.querySelectorAll(".side button")) other.setAttribute("aria-pressed", String(other === button));
  filters.category = button.dataset.category;
  show();
});

document.querySelector(".side").addEventListener("change", () => {
  filters.price = [...document.querySelectorAll(".side input:checked")].map((box) => box.value).join(",");
  show();
});

document.getElementById("sort").addEventListener("change", (event) => {
  filters.sort = event.target.value;
  show();
});

// A scroll is over when the page has stood still for a moment and what came into view is drawn.
addEventListener("scrollend", () => {
  const turn = ++scrolled;
  setTimeout(async () => {
    await Bench.pictures();
    if (turn !== scrolled || scrollY === restingAt) return;
    restingAt = scrollY;
    if (scrollY > 0) Bench.done(`Shop: at ${Math.round(scrollY)}`);
  }, 40);
});

if (words) show();
else Bench.loaded().then(() => Bench.done("Shop: 200 products"));
