/** Starts the core from the code that a script contains: for frames and elements, which may load nothing. */
import { PartsClient } from "../../session/client/parts-client.js";
import { SessionClient } from "../../session/client/session-client.js";
import type { StartClient } from "../client.js";
import { scriptAddress } from "../script-address.js";

/** The worker's script, and the core's wasm. */
export interface BundledCore {
  worker: string;
  wasm: Uint8Array;
}

/** Milliseconds that a worker's script may take to load; its object URL is revoked after that. */
const readWithin = 10_000;

/** Whether a Content-Security-Policy of the page around refused the worker. */
let isForbidden = false;
globalThis.document?.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  if (effectiveDirective === "worker-src" && blockedURI.startsWith("blob")) isForbidden = true;
});

function createWorker(text: string): Worker {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(scriptAddress(address) as string);
  setTimeout(() => URL.revokeObjectURL(address), readWithin);
  return worker;
}

/** Starts sessions from the contained code; `bundled` is called when the first one starts. */
export const startBundled =
  (bundled: () => BundledCore): StartClient =>
  (onRestart, onSilence) => {
    const session = new SessionClient({
      createWorker: () => createWorker(bundled().worker),
      wasm: () => bundled().wasm.slice().buffer,
      stopReason: () =>
        isForbidden
          ? "The page's Content-Security-Policy forbids the worker: worker-src must allow blob:"
          : "",
      onRestart,
      onSilence,
    });
    // The contained core has both of its parts in one file.
    return new PartsClient(() => session);
  };
