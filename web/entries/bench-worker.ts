/** The worker of bench.html: loads both builds of the core and measures them. Built as one classic script. */
import { measureAll } from "../bench/measuring.js";
import type { Start, WorkerMessage } from "../bench/messages.js";
import { load, type Build, type Core } from "../core/index.js";

/** The part of the worker's global scope that is used here; the page's `self` has another postMessage. */
declare const self: {
  postMessage(told: WorkerMessage): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Start>) => void): void;
};

async function start({ wasm, only, quick }: Start): Promise<void> {
  const cores: Partial<Record<Build, Core>> = {};
  for (const [build, bytes] of Object.entries(wasm) as [Build, ArrayBuffer][])
    cores[build] = await load({ build, wasm: bytes });
  await measureAll(cores, { only, quick }, (told) => self.postMessage(told));
}

self.addEventListener("message", ({ data }) => {
  if (data.type !== "start") return;
  start(data).catch((error: unknown) =>
    self.postMessage({ type: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
});
