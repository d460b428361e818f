/** The script of a worker: waits for the core's bytes or address, then answers the calls of its session. */
import { expose } from "comlink";
import type { LoadOptions } from "../../core/attention.js";
import type { Answer, LoadMessage } from "../messages.js";

/** What a worker uses of its global scope; the page's own `self` has another postMessage. */
declare const self: {
  postMessage(message: Answer): void;
  addEventListener(type: "message", listener: (event: MessageEvent<LoadMessage>) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent<LoadMessage>) => void): void;
};

/** Whether the engine had no memory for what was asked: the reason of the reason is its own. */
function isMemory(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof RangeError || /out of memory/i.test(String(cause));
}

/** Begins with the message that says where the core is; `callsOf` gives what may be asked once it is loaded. */
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
