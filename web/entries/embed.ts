/**
 * The first script of a frame: unpacks the code of the page and the worker and the wasm, and runs the page's
 * code, whose hash the policy contains.
 */
import packed from "virtual:packed";
import "../embed.css";
import { textOf, unpack } from "../page/element/unpack.js";

/**
 * The page's code in the form that a script element accepts: the frame's policy requires a TrustedScript in
 * engines that have it.
 */
function pageScript(code: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScript(code: string): string } };
  };
  if (!trustedTypes) return code;
  const rules = { createScript: (given: string) => given };
  return trustedTypes.createPolicy("attention-playground-frame", rules).createScript(code);
}

const [wasm, page, worker] = unpack(packed);
(globalThis as { bundledCore?: unknown }).bundledCore = { worker: textOf(worker), wasm };
const script = document.createElement("script");
script.textContent = pageScript(textOf(page));
document.body.append(script);
