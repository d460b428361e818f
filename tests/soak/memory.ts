/** The memory of a page after a garbage collection: objects and their buffers, elements and listeners; and of each worker, with its core. */
import type { CDPSession, Page, WebWorker } from "puppeteer-core";

/** The memory of one worker. */
export interface WorkerMemory {
  /** Bytes of its objects, with their buffers. */
  heap: number;
  /** Bytes of the core's memory, which never shrinks. */
  wasm: number;
  /** The core's graphs and generators that are not deleted, and the JavaScript values that it refers to. */
  handles: number;
  values: number;
}

export interface PageMemory {
  heap: number;
  elements: number;
  listeners: number;
  workers: WorkerMemory[];
}

async function heapOf(session: CDPSession): Promise<number> {
  // Objects with a finalizer, and buffers from another thread, are freed by a later collection.
  for (let turn = 0; turn < 3; turn++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

/** Runs before a worker's script. The core's module is the first object that gets a function `liveHandles`: it is stored in `watchedCore`. */
export const exposeCore = `Object.defineProperty(Object.prototype, "liveHandles", {
  configurable: true,
  set(count) {
    delete Object.prototype.liveHandles;
    this.liveHandles = count;
    self.watchedCore = this;
  },
});
`;

async function memoryOfWorker(worker: WebWorker): Promise<WorkerMemory> {
  const counted = await worker.evaluate(() => {
    const { watchedCore: core } = self as unknown as {
      watchedCore: Record<"liveHandles" | "liveValues" | "memoryBytes", () => number>;
    };
    return { handles: core.liveHandles(), values: core.liveValues(), wasm: core.memoryBytes() };
  });
  return { ...counted, heap: await heapOf(worker.client) };
}

export async function memoryOf(page: Page): Promise<PageMemory> {
  const session = await page.createCDPSession();
  const workers: WorkerMemory[] = [];
  for (const worker of page.workers()) workers.push(await memoryOfWorker(worker));
  // Drawing a picture or storing a file takes memory for a moment, so the smallest of three measurements counts.
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
