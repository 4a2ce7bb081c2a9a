// A form checked field by field as it is written, and once more before it is sent.
"use strict";

const form = document.querySelector("form");

function check(input) {
  const text = input.validity.valueMissing ? "Please fill this in" : input.validity.valid ? "" : "This does not look right";
  const field = input.closest(".field");
  field.classList.toggle("bad", text !== "");
  field.querySelector("small").textContent = text;
  return text === "";
}

form.addEventListener("input", (event) => event.target.closest(".field input") && check(event.target));
form.addEventListener("submit", (event) => {
  const right = [...form.querySelectorAll(".field input")].map(check);
  if (!right.every(Boolean)) event.preventDefault();
});

document.getElementById("items").textContent = localStorage.getItem("cart") ?? "0";
Bench.loaded().then(() => Bench.done("Checkout"));
