/** Starting the worker: what is said to it, what it says before its first call, and how its end is noticed. */
import { wrap, type Remote } from "comlink";
import type { Calls } from "./session-calls.js";

/** First message to the worker: which build, and its bytes or its address. */
export interface LoadMessage {
  type: "load";
  build: "simd" | "relaxed";
  wasm: ArrayBuffer | string;
}

/** What the worker says before its first call. */
export type Answer = { type: "ready" } | { type: "failed"; message: string };

export interface LaunchOptions {
  /** Makes the worker; each host has its own address and its own Trusted Types policy. May throw. */
  createWorker(): Worker | Promise<Worker>;
  /** The build to load and its bytes or address; asked again for every worker. */
  core(): Promise<Omit<LoadMessage, "type">> | Omit<LoadMessage, "type">;
  /** Milliseconds until a worker that has not said it is ready counts as dead. */
  patience?: number;
}

/** The worker stopped: an uncaught error, a trap of the core, or silence at its start. */
export class WorkerDied extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "WorkerDied";
  }
}

/** A part of the core could not be fetched; it may be asked for again. */
export class PartMissing extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "PartMissing";
  }
}

/** A started worker, and a promise that rejects when it dies or is given up. */
export interface Running {
  worker: Worker;
  /** Those of the whole core are only there in its own worker. */
  calls: Remote<Required<Calls>>;
  over: Promise<never>;
  giveUp(reason: Error): void;
}

/** Engines differ: a worker that cannot be made throws here or fires an error later, and some stay silent. */
export async function launch(options: LaunchOptions): Promise<Running> {
  const core = await options.core();
  let worker: Worker;
  try {
    worker = await options.createWorker();
  } catch (error) {
    throw new WorkerDied(error instanceof Error ? error.message : String(error));
  }
  let giveUp!: (reason: Error) => void;
  const over = new Promise<never>((_, reject) => {
    giveUp = reject;
    const fail = (event: Event): void => {
      event.preventDefault();
      reject(new WorkerDied((event as Partial<ErrorEvent>).message || "The worker stopped."));
    };
    worker.addEventListener("error", fail);
    worker.addEventListener("messageerror", fail);
  });
  // An end between two calls is found by the next one.
  over.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    timer = setTimeout(
      () => reject(new WorkerDied("The worker does not answer.")),
      options.patience ?? 30_000,
    );
    worker.addEventListener("message", function listen({ data }: MessageEvent<Answer>) {
      worker.removeEventListener("message", listen);
      if (data.type === "ready") resolve();
      else reject(new WorkerDied(data.message));
    });
  });
  try {
    const load: LoadMessage = { type: "load", ...core };
    worker.postMessage(load);
    await Promise.race([ready, over]);
    return { worker, calls: wrap<Required<Calls>>(worker), over, giveUp };
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
