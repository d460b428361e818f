/** The worker: waits for the core's bytes or address, then answers the session's calls. Built as one classic script. */
import { expose, transfer } from "comlink";
import type { Config } from "./config/config.js";
import { load } from "./core/attention.js";
import type { Before } from "./labs/difference.js";
import { Session } from "./labs/session.js";
import type { Answer, LoadMessage } from "./labs/session-client.js";

/** What this script uses of its global scope; the page's own `self` has another postMessage. */
declare const self: {
  postMessage(message: Answer): void;
  addEventListener(type: "message", listener: (event: MessageEvent<LoadMessage>) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent<LoadMessage>) => void): void;
};

function answer(message: Answer): void {
  self.postMessage(message);
}

async function start(event: MessageEvent<LoadMessage>): Promise<void> {
  if (event.data.type !== "load") return;
  self.removeEventListener("message", start);
  try {
    const session = new Session(await load({ build: event.data.build, wasm: event.data.wasm }));
    expose({
      compute(config: Config) {
        const computed = session.compute(config);
        return transfer(
          computed,
          computed.snapshots.map(({ data }) => data.buffer),
        );
      },
      explain: (node: string, index: number[], full: boolean) => session.explain(node, index, full),
      difference(before: Before[]) {
        const made = session.difference(before);
        return transfer(
          made,
          made.map(({ data }) => data.buffer),
        );
      },
    });
    answer({ type: "ready" });
  } catch (error) {
    answer({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

self.addEventListener("message", start);
