/** The main function of a worker: it waits for the core's bytes or address and then answers the calls of its session. */
import { expose } from "comlink";
import type { LoadOptions } from "../../core/attention.js";
import type { Answer, LoadMessage } from "../messages.js";

/** The parts of its global scope that a worker uses. (`self` of a page has a different postMessage.) */
declare const self: {
  postMessage(message: Answer): void;
  addEventListener(type: "message", listener: (event: MessageEvent<LoadMessage>) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent<LoadMessage>) => void): void;
};

/** True if the error, or its `cause`, is an out-of-memory error of the engine. */
function isMemory(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof RangeError || /out of memory/i.test(String(cause));
}

/** Starts with the message that gives the core. `callsOf` returns the calls that can be made once the core is loaded. */
export function serve<Core>(
  load: (options: LoadOptions) => Promise<Core>,
  callsOf: (core: Core) => Record<string, (...given: never[]) => unknown>,
): void {
  async function start({ data }: MessageEvent<LoadMessage>): Promise<void> {
    if (data.type !== "load") return;
    self.removeEventListener("message", start);
    try {
      expose(callsOf(await load({ build: "simd", wasm: data.wasm })));
      self.postMessage({ type: "ready" });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      self.postMessage({ type: "failed", message, memory: isMemory(error) });
    }
  }
  self.addEventListener("message", start);
}
