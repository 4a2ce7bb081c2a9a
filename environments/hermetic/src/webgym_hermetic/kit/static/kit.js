// The kit's behaviour, all of it delegated to the document, so that it outlives the body of any one page.
import { arrive } from "./core.js";
import "./overlays.js";
import "./controls.js";
import "./parts.js";
import "./nuisances.js";
import { startApp } from "./app.js";

startApp();
arrive();
