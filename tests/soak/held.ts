/** What a page holds after a collection of garbage: objects and their buffers, elements and listeners; and each of its workers, with its core. */
import type { CDPSession, Page, WebWorker } from "puppeteer-core";

/** Of one worker. */
export interface HeldByWorker {
  /** Bytes of its objects, with the buffers that they own. */
  heap: number;
  /** Bytes of the core's memory, which it never gives back. */
  wasm: number;
  /** Graphs and generators of the core that are not deleted, and JavaScript values that it holds on to. */
  handles: number;
  values: number;
}

export interface Held {
  heap: number;
  elements: number;
  listeners: number;
  workers: HeldByWorker[];
}

async function heapOf(session: CDPSession): Promise<number> {
  // What has a finalizer, and buffers that came from the other side, go with a later collection.
  for (let turn = 0; turn < 3; turn++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

/** Before a worker's script: the module of its core, to be asked what it holds, is the first that is given such a function. */
export const watching = `Object.defineProperty(Object.prototype, "liveHandles", {
  configurable: true,
  set(count) {
    delete Object.prototype.liveHandles;
    this.liveHandles = count;
    self.watchedCore = this;
  },
});
`;

async function heldByWorker(worker: WebWorker): Promise<HeldByWorker> {
  const counted = await worker.evaluate(() => {
    const { watchedCore: core } = self as unknown as {
      watchedCore: Record<"liveHandles" | "liveValues" | "memoryBytes", () => number>;
    };
    return { handles: core.liveHandles(), values: core.liveValues(), wasm: core.memoryBytes() };
  });
  return { ...counted, heap: await heapOf(worker.client) };
}

export async function held(page: Page): Promise<Held> {
  const session = await page.createCDPSession();
  const workers: HeldByWorker[] = [];
  for (const worker of page.workers()) workers.push(await heldByWorker(worker));
  // A picture that is being drawn, or a file that is being kept, is held for a moment: of three measures the least.
  let heap = Infinity;
  for (let turn = 0; turn < 3; turn++) {
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    heap = Math.min(heap, await heapOf(session));
  }
  const { nodes: elements, jsEventListeners: listeners } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return { heap, elements, listeners, workers };
}
