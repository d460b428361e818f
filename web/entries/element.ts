/**
 * The script of the custom element: one file that contains the code of the page, that of the worker, and the
 * wasm.
 */
import packed from "virtual:packed";
import "../i18n/both.js";
import { type Carried, startCarried } from "../page/element/bundled-core.js";
import { AttentionPlayground } from "../page/attention-playground.js";
import { pageBeside } from "../page/page-address.js";
import { textOf, unpacked } from "../page/element/unpack.js";

let carried: Carried | null = null;

function unpack(): Carried {
  const [worker, wasm = new Uint8Array()] = unpacked(packed);
  return { worker: textOf(worker), wasm };
}

AttentionPlayground.startClient = startCarried(() => (carried ??= unpack()));
AttentionPlayground.pageAddress = pageBeside(ownAddress);
customElements.define("attention-playground", AttentionPlayground);
