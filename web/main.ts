/** The page's entry: gives ap-app the way to start a session, with the wasm build this engine can run. */
import { relaxedSimd } from "wasm-feature-detect";
import relaxedWasm from "../build/core/relaxed/attention.wasm?url";
import simdWasm from "../build/core/simd/attention.wasm?url";
import workerScript from "../build/page/worker.js?url";
import { SessionClient } from "./labs/session-client.js";
import { ApApp } from "./page/app.js";
import { scriptAddress } from "./page/script-address.js";

/** The wasm is fetched at once, beside the page's own script, and once for all sessions. */
const core = relaxedSimd().then(async (relaxed) => {
  const address = relaxed ? relaxedWasm : simdWasm;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return { build: relaxed ? ("relaxed" as const) : ("simd" as const), wasm: await response.arrayBuffer() };
});
// Whoever asks for it is told; without a session nobody may have asked yet.
core.catch(() => undefined);

const createWorker = (): Worker => new Worker(scriptAddress(workerScript) as string);

const app = new ApApp();
app.startClient = (onRestart) => new SessionClient({ createWorker, core: () => core, onRestart });
document.body.prepend(app);
