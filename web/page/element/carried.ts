/** The core that a script carries in itself: for frames and elements, which may load nothing. */
import { PartsClient } from "../../session/client/parts-client.js";
import { SessionClient } from "../../session/client/session-client.js";
import type { StartClient } from "../client.js";
import { scriptAddress } from "../script-address.js";

/** The worker's script, and the core's wasm. */
export interface Carried {
  worker: string;
  wasm: Uint8Array;
}

/** How long a worker's script may take to be read; its address goes then. */
const readWithin = 10_000;

/** Whether a policy of the page around refused the worker. */
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

/** Starts sessions with what is carried; it is asked for when the first one starts. */
export const startCarried =
  (carried: () => Carried): StartClient =>
  (onRestart, onSilence) => {
    const session = new SessionClient({
      createWorker: () => createWorker(carried().worker),
      wasm: () => carried().wasm.slice().buffer,
      whyStopped: () =>
        isForbidden
          ? "The page's Content-Security-Policy forbids the worker: worker-src must allow blob:"
          : "",
      onRestart,
      onSilence,
    });
    // Both parts of the core are one here.
    return new PartsClient(() => session);
  };
