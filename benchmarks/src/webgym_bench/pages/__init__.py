"""The benchmark websites: a shop, a form and a single-page app, served on loopback."""
