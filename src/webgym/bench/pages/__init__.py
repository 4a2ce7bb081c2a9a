"""The websites that benchmarks drive: a shop, a form and a single-page app, served on loopback."""
