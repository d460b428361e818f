/** The page's side of the worker: starts it, asks it, keeps only the newest waiting Config, restarts it when it dies. */
import { releaseProxy, wrap, type Remote } from "comlink";
import type { Config } from "../config/config.js";
import type { Explanation } from "../core/index.js";
import type { Computed } from "./session.js";

/** First message to the worker: which build, and its bytes or its address. */
export interface LoadMessage {
  type: "load";
  build: "simd" | "relaxed";
  wasm: ArrayBuffer | string;
}

/** What the worker says before its first call. */
export type Answer = { type: "ready" } | { type: "failed"; message: string };

export interface ClientOptions {
  /** Makes the worker; each host has its own address and its own Trusted Types policy. May throw. */
  createWorker(): Worker;
  /** The build to load and its bytes or address; asked again for every worker. */
  core(): Promise<Omit<LoadMessage, "type">> | Omit<LoadMessage, "type">;
  /** Told when a worker died and another was started with the same Config. */
  onRestart?(reason: string): void;
  /** Milliseconds until a worker that has not said it is ready counts as dead. */
  patience?: number;
}

interface Calls {
  compute(config: Config): Computed;
  explain(node: string, index: number[]): Explanation;
}

/** A computation that was never begun, because a newer Config came. */
export class Superseded extends Error {
  constructor() {
    super("A newer Config is computed instead.");
    this.name = "Superseded";
  }
}

/** The worker stopped: an uncaught error, a trap of the core, or silence at its start. */
export class WorkerDied extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "WorkerDied";
  }
}

/** A started worker and a promise that rejects when it dies. */
interface Running {
  worker: Worker;
  calls: Remote<Calls>;
  died: Promise<never>;
}

interface Job {
  config: Config;
  resolve(computed: Computed): void;
  reject(error: unknown): void;
}

export class SessionClient {
  readonly #options: ClientOptions;
  #running: Promise<Running> | null = null;
  /** The last Config that was computed, and the worker that holds its graph. */
  #held: { config: Config; by: Running } | null = null;
  #busy = false;
  #waiting: Job | null = null;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Computes a Config. While one is computed only the newest of those that come waits; the others are rejected as Superseded.
   * Rejects with WorkerDied when the worker could not be started, or died twice of the same Config.
   */
  compute(config: Config): Promise<Computed> {
    return new Promise((resolve, reject) => {
      const job = { config, resolve, reject };
      if (!this.#busy) return void this.#work(job);
      this.#waiting?.reject(new Superseded());
      this.#waiting = job;
    });
  }

  /** How a cell of the last computed Config was made. */
  async explain(node: string, index: number[]): Promise<Explanation> {
    return this.#survive(async (running) => {
      const held = this.#held;
      if (held && held.by !== running) await this.#ask(running, () => running.calls.compute(held.config));
      if (held) this.#held = { config: held.config, by: running };
      return this.#ask(running, () => running.calls.explain(node, index));
    });
  }

  /** Ends the worker. Nothing can be asked any more. */
  close(): void {
    this.#closed = true;
    this.#waiting?.reject(new Superseded());
    this.#waiting = null;
    this.#end();
  }

  async #work(first: Job): Promise<void> {
    this.#busy = true;
    for (let job: Job | null = first; job; job = this.#waiting) {
      if (job === this.#waiting) this.#waiting = null;
      const { config, resolve, reject } = job;
      try {
        resolve(
          await this.#survive(async (running) => {
            const computed = await this.#ask(running, () => running.calls.compute(config));
            if (computed.error === undefined) this.#held = { config, by: running };
            return computed;
          }),
        );
      } catch (error) {
        reject(error);
      }
    }
    this.#busy = false;
  }

  /** Does `work`; when the worker dies of it, once more with a new worker. */
  async #survive<T>(work: (running: Running) => Promise<T>): Promise<T> {
    const running = await this.#start();
    try {
      return await work(running);
    } catch (error) {
      if (!(error instanceof WorkerDied) || this.#closed) throw error;
      this.#end();
      const next = await this.#start();
      this.#options.onRestart?.(error.message);
      try {
        return await work(next);
      } catch (again) {
        if (again instanceof WorkerDied) this.#end();
        throw again;
      }
    }
  }

  /** A call, or the death of the worker, whichever comes first. A trap leaves the core unusable, so it is a death. */
  async #ask<T>(running: Running, call: () => Promise<T>): Promise<T> {
    try {
      return await Promise.race([call(), running.died]);
    } catch (error) {
      if (error instanceof Error && error.name === "RuntimeError") throw new WorkerDied(error.message);
      throw error;
    }
  }

  #start(): Promise<Running> {
    if (this.#closed) return Promise.reject(new WorkerDied("The session is closed."));
    if (!this.#running) {
      const starting = this.#launch();
      this.#running = starting;
      starting.catch(() => {
        if (this.#running === starting) this.#running = null;
      });
    }
    return this.#running;
  }

  /** Engines differ: a worker that cannot be made throws here or fires an error later, and some stay silent. */
  async #launch(): Promise<Running> {
    const core = await this.#options.core();
    let worker: Worker;
    try {
      worker = this.#options.createWorker();
    } catch (error) {
      throw new WorkerDied(error instanceof Error ? error.message : String(error));
    }
    const died = new Promise<never>((_, reject) => {
      const fail = (event: Event): void => {
        event.preventDefault();
        reject(new WorkerDied((event as Partial<ErrorEvent>).message || "The worker stopped."));
      };
      worker.addEventListener("error", fail);
      worker.addEventListener("messageerror", fail);
    });
    // A death between two calls is found by the next one.
    died.catch(() => {});
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ready = new Promise<void>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new WorkerDied("The worker does not answer.")),
        this.#options.patience ?? 30_000,
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
      await Promise.race([ready, died]);
      return { worker, calls: wrap<Calls>(worker), died };
    } catch (error) {
      worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #end(): void {
    const running = this.#running;
    this.#running = null;
    running?.then(
      ({ worker, calls }) => {
        calls[releaseProxy]();
        worker.terminate();
      },
      () => {},
    );
  }
}
