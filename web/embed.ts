/** The first script of a frame: unpacks the page's code, the worker's and the wasm, and lets the page's code run, whose hash the policy names. */
import packed from "virtual:packed";
import "./embed.css";
import { textOf, unpacked } from "./unpacked.js";

const [wasm, page, worker] = unpacked(packed);
(globalThis as { carried?: unknown }).carried = { worker: textOf(worker), wasm };
const script = document.createElement("script");
script.textContent = textOf(page);
document.body.append(script);
