// A single-page app: everything it shows is fetched, one request follows from another, views change without a page load.
"use strict";

const list = document.getElementById("list");
const detail = document.getElementById("detail");
let seconds = 0;

// A page that is never quite still, as real ones are not.
setInterval(() => {
  document.getElementById("clock").textContent = `· updated ${++seconds} s ago`;
}, 1000);

const line = (order) => `<button class="line" data-id="${order.id}"><span>#${order.id}</span><span>${order.name}</span>
  <span>${order.date}</span><span class="state ${order.state}">${order.state}</span><span>${Bench.money(order.total)}</span></button>`;

const item = (one) => `<div class="item"><img src="/pictures/${one.id}.jpg" alt=""><span>${one.name}</span>
  <b style="margin-left:auto">${Bench.money(one.price)}</b></div>`;

async function overview() {
  const orders = await Bench.json("/api/orders");
  list.innerHTML = `<div class="line title"><span>Order</span><span>Customer</span><span>Date</span><span>State</span><span>Total</span></div>`;
  list.innerHTML += orders.map(line).join("");
  await Bench.pause(30);
  const totals = await Bench.json(`/api/totals?after=${orders[0].id}`);
  document.getElementById("tiles").innerHTML = totals
    .map((one) => `<div class="tile panel"><span class="soft">${one.name}</span><b>${one.value}</b></div>`).join("");
  Bench.done(`Orders: ${orders.length}`);
}

async function open(id, row) {
  for (const other of list.querySelectorAll(".open")) other.classList.remove("open");
  row.classList.add("open");
  history.pushState(null, "", `/orders/${id}`);
  detail.innerHTML = `<h2>Order #${id}</h2>${'<div class="gap"></div>'.repeat(6)}`;
  const order = await Bench.json(`/api/orders/${id}`);
  detail.innerHTML = `<h2>Order #${id}</h2><div class="soft">${order.name} · ${order.date}</div>
    <div class="track"><i style="width:0"></i></div>${order.items.map(item).join("")}
    <div class="item"><b>Total</b><b style="margin-left:auto">${Bench.money(order.total)}</b></div>`;
  await Bench.pause(60);
  detail.querySelector(".track i").style.width = `${order.progress}%`;
  await Bench.pictures();
  await Bench.pause(60);
  Bench.done(`Order ${id}`);
}

list.addEventListener("click", (event) => {
  const row = event.target.closest("button");
  if (row) open(row.dataset.id, row);
});

overview();
