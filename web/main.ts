/** The page's entry: gives ap-app the way to start a session, with the wasm build this engine can run. */
import { relaxedSimd } from "wasm-feature-detect";
import relaxedWasm from "../build/core/relaxed/attention.wasm?url";
import simdWasm from "../build/core/simd/attention.wasm?url";
import workerScript from "../build/page/worker.js?url";
import { PartMissing } from "./labs/launch.js";
import { PartsClient } from "./labs/parts-client.js";
import { SessionClient, type ClientOptions } from "./labs/session-client.js";
import { ApApp } from "./page/app.js";
import { scriptAddress } from "./page/script-address.js";

interface Fetched {
  script: string;
  core: { build: "simd" | "relaxed"; wasm: ArrayBuffer };
}

const relaxed = relaxedSimd();

async function fetched(script: string, wasm: { simd: string; relaxed: string }): Promise<Fetched> {
  const build = (await relaxed) ? "relaxed" : "simd";
  const response = await fetch(wasm[build]);
  if (!response.ok) throw new Error(`${wasm[build]} answered ${response.status}`);
  return { script, core: { build, wasm: await response.arrayBuffer() } };
}

/** What is fetched once for all sessions, and again only where it could not be had. */
function once(get: () => Promise<Fetched>): () => Promise<Fetched> {
  let got: Promise<Fetched> | null = null;
  return () => {
    got ??= get().catch((error: unknown) => {
      got = null;
      throw new PartMissing(error instanceof Error ? error.message : String(error));
    });
    return got;
  };
}

const parts = {
  attention: once(() => fetched(workerScript, { simd: simdWasm, relaxed: relaxedWasm })),
  transformer: once(async () => {
    const { transformerPart } = await import("./transformer-part.js");
    return fetched(transformerPart.script, transformerPart.wasm);
  }),
};
// The wasm of the attention part comes beside the page's own script. Whoever asks for it is told where it does not.
parts.attention().catch(() => undefined);

function startingWith(part: () => Promise<Fetched>): Pick<ClientOptions, "createWorker" | "core"> {
  return {
    core: async () => (await part()).core,
    createWorker: async () => new Worker(scriptAddress((await part()).script) as string),
  };
}

const app = new ApApp();
app.startClient = (onRestart) =>
  new PartsClient((part) => new SessionClient({ ...startingWith(parts[part]), onRestart }));
document.body.prepend(app);
