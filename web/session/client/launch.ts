/** Starting the worker: what is said to it, what it says before its first call, and how its end is noticed. */
import { wrap, type Remote } from "comlink";
import { simd } from "wasm-feature-detect";
import { whileAwake } from "./awake.js";
import type { Calls } from "../calls.js";
import type { Answer, LoadMessage } from "../messages.js";

export interface LaunchOptions {
  /** Makes the worker; each host has its own address and its own Trusted Types policy. May throw. */
  createWorker(): Worker | Promise<Worker>;
  /** Whether the worker's script comes over the network, and so may not come: then that is what a silent error at the start means. */
  fetched?: boolean;
  /** The core's bytes, or its address; asked again for every worker. */
  wasm(): Promise<LoadMessage["wasm"]> | LoadMessage["wasm"];
  /** Why a worker may have stopped that said nothing itself; empty where it is not known. */
  whyStopped?(): string;
  /** Told of a worker that could not be started: what it was started with may be spoiled. */
  startFailed?(): void;
  /** Milliseconds until a worker that has not said it is ready counts as dead. */
  patience?: number;
}

/** The worker stopped: an uncaught error, a trap of the core, or silence at its start. */
export class WorkerDied extends Error {
  override name = "WorkerDied";
}

/** The engine gives the core no memory to start with. */
export class NoMemory extends WorkerDied {
  override name = "NoMemory";
}

/** The engine has no WebAssembly with SIMD, which every build of the core is made of. */
export class NoSimd extends Error {
  override name = "NoSimd";
  override message = "This engine has no WebAssembly SIMD.";
}

/** A part of the core could not be fetched; it may be asked for again. */
export class PartMissing extends Error {
  override name = "PartMissing";
}

/** A started worker. */
export interface Running {
  worker: Worker;
  /** Those of the whole core are only there in its own worker. */
  calls: Remote<Required<Calls>>;
  /** The answer of a call; rejects when the worker dies, is given up, or was before. */
  during<T>(call: Promise<T>): Promise<T>;
  /** Whether a call waits. */
  readonly asked: boolean;
  giveUp(reason: Error): void;
}

/** Calls that wait for a worker. A race of each with one promise of the worker's end would keep every answer for as long as that lives. */
function waiting(): Pick<Running, "during" | "giveUp" | "asked"> {
  const calls = new Set<(reason: Error) => void>();
  let ended: Error | null = null;
  return {
    get asked() {
      return calls.size > 0;
    },
    during: (call) =>
      new Promise((resolve, reject) => {
        if (ended) reject(ended);
        else calls.add(reject);
        const answered = (): void => void calls.delete(reject);
        call.then(resolve, reject).then(answered, answered);
      }),
    giveUp(reason) {
      ended ??= reason;
      for (const reject of calls) reject(ended);
      calls.clear();
    },
  };
}

/**
 * Engines differ: a worker that cannot be made throws here or fires an error later, and some stay silent. Rejects with NoSimd, with
 * WorkerDied, of which NoMemory is one, with PartMissing where the worker's script did not come, or as `wasm` does.
 */
export async function launch(options: LaunchOptions): Promise<Running> {
  // Where WebAssembly is turned off to ask for its features throws.
  if (!(await simd().catch(() => false))) throw new NoSimd();
  // The worker's script comes while the wasm does.
  let isWasmMissing = false;
  const wasm = Promise.resolve(options.wasm()).catch((error: unknown) => {
    isWasmMissing = true;
    throw error;
  });
  wasm.catch(() => undefined);
  let worker: Worker;
  try {
    worker = await options.createWorker();
  } catch (error) {
    if (error instanceof PartMissing) throw error;
    throw new WorkerDied(error instanceof Error ? error.message : String(error));
  }
  // An end between two calls is found by the next one.
  const calls = waiting();
  let begun = false;
  const fail = (event: Event): void => {
    event.preventDefault();
    const { message } = event as Partial<ErrorEvent>;
    // A script that throws says what; one that could not be had says nothing.
    const missed = options.fetched && !begun && !message;
    calls.giveUp(
      missed
        ? new PartMissing("The worker's script did not come.")
        : new WorkerDied(message || options.whyStopped?.() || "The worker stopped."),
    );
  };
  worker.addEventListener("error", fail);
  worker.addEventListener("messageerror", fail);
  let answered = (): void => undefined;
  try {
    const load: LoadMessage = { type: "load", wasm: await calls.during(wasm) };
    const ready = new Promise<void>((resolve, reject) => {
      answered = whileAwake(options.patience ?? 30_000, () =>
        reject(new WorkerDied("The worker does not answer.")),
      );
      worker.addEventListener("message", function listen({ data }: MessageEvent<Answer>) {
        worker.removeEventListener("message", listen);
        begun = true;
        if (data.type === "ready") resolve();
        else reject(new (data.memory ? NoMemory : WorkerDied)(data.message));
      });
    });
    worker.postMessage(load);
    await calls.during(ready);
    return Object.assign(calls, { worker, calls: wrap<Required<Calls>>(worker) });
  } catch (error) {
    worker.terminate();
    if (!isWasmMissing) options.startFailed?.();
    throw error;
  } finally {
    answered();
  }
}
