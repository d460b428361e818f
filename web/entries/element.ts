/**
 * The script of the custom element: one file that contains the code of the page, that of the worker, and the
 * wasm.
 */
import packed from "virtual:packed";
import "../i18n/both.js";
import "../labs/framed.js";
import { type BundledCore, startBundled } from "../page/element/bundled-core.js";
import { AttentionPlayground } from "../page/attention-playground.js";
import { pageOfScript } from "../page/page-address.js";
import { textOf, unpack } from "../page/element/unpack.js";

let core: BundledCore | null = null;

function unpackCore(): BundledCore {
  const [worker, wasm = new Uint8Array()] = unpack(packed);
  return { worker: textOf(worker), wasm };
}

AttentionPlayground.startClient = startBundled(() => (core ??= unpackCore()));
AttentionPlayground.pageAddress = pageOfScript(ownAddress);
customElements.define("attention-playground", AttentionPlayground);
