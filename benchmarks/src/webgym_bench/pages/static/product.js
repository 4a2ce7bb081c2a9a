"use strict";
Bench.loaded().then(() => Bench.done(document.querySelector("h1").textContent));
