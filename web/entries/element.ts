/**
 * The script of the custom element: one file that contains the code of the page, that of the worker, and the
 * wasm.
 */
import packed from "virtual:packed";
import "../i18n/both.js";
import { type Carried, startCarried } from "../page/element/carried.js";
import { AttentionPlayground } from "../page/attention-playground.js";
import { pageBeside } from "../page/page-beside.js";
import { textOf, unpacked } from "../page/element/unpacked.js";

let carried: Carried | null = null;

function unpack(): Carried {
  const [worker, wasm = new Uint8Array()] = unpacked(packed);
  return { worker: textOf(worker), wasm };
}

AttentionPlayground.startClient = startCarried(() => (carried ??= unpack()));
AttentionPlayground.pageAddress = pageBeside(ownAddress);
customElements.define("attention-playground", AttentionPlayground);
