/** The first script of a frame: unpacks the page's code, the worker's and the wasm, and lets the page's code run, whose hash the policy names. */
import packed from "virtual:packed";
import "../embed.css";
import { textOf, unpacked } from "../page/element/unpacked.js";

/** The page's code as a script takes it: the policy of the frame asks for a TrustedScript where the engine knows of one. */
function pageScript(code: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScript(code: string): string } };
  };
  if (!trustedTypes) return code;
  const rules = { createScript: (given: string) => given };
  return trustedTypes.createPolicy("attention-playground-frame", rules).createScript(code);
}

const [wasm, page, worker] = unpacked(packed);
(globalThis as { carried?: unknown }).carried = { worker: textOf(worker), wasm };
const script = document.createElement("script");
script.textContent = pageScript(textOf(page));
document.body.append(script);
