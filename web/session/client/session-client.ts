/** The page's side of a worker: starts it, calls it, keeps only the newest waiting Config, and restarts it when it dies. */
import { releaseProxy } from "comlink";
import type { Config, LabId } from "../../config/config.js";
import type { Before, Computed, Explained } from "../messages.js";
import { whileAwake } from "./awake.js";
import { launch, WorkerDied, type LaunchOptions, type Running } from "./launch.js";
import type { Snapshot } from "../../marks/scene.js";

export { WorkerDied };

export interface ClientOptions extends LaunchOptions {
  /** Called when a worker has died and another one has completed its work. */
  onRestart?(reason: string): void;
  /** Called when a worker has not answered for a long time, and again when it answers or is stopped. */
  onSilence?(silent: boolean): void;
  /** The number of milliseconds after which the reader is told. */
  silence?: number;
  /** The number of milliseconds that a newer Config waits for an older one before the worker is stopped and another one computes the newer Config. */
  overrun?: number;
  /** The same when the newer Config belongs to another lab: the numbers of the lab that the reader left are no longer needed. */
  leaving?: number;
}

/** A computation was not started or not finished, or a question was about a graph that is gone, because a newer Config was requested. */
export class Superseded extends Error {
  override name = "Superseded";
  override message = "A newer Config is computed instead.";
}

interface Job {
  config: Config;
  /** The value of `#replacedAnswers` when the job was created: the page takes the answer only if it is still the same. */
  replacedAnswers: number;
  resolve(computed: Computed): void;
  reject(error: unknown): void;
}

export class SessionClient {
  readonly #options: ClientOptions;
  #running: Promise<Running> | null = null;
  /** The last Config that was computed, and the worker that holds its graph. */
  #lastComputed: { config: Config; by: Running } | null = null;
  #busy = false;
  #waiting: Job | null = null;
  /** The worker that is computing. */
  #computing: Running | null = null;
  #overrun: (() => void) | undefined;
  /** The lab that is being computed, and whether a Config of another lab is waiting. */
  #lab: LabId | null = null;
  #leaving = false;
  /** Counts the requested Configs, so that a question can tell whether it is still about the last one. */
  #requestCount = 0;
  #closed = false;
  /** The number of times that the page replaced this session's last answer by another session's, and how many of them the worker has been told of. */
  #replacedAnswers = 0;
  #knownReplacements = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Computes a Config. During a computation only the newest waiting Config is kept; the others are rejected as Superseded.
   * A computation that keeps a newer Config waiting for long is stopped, with its worker, and rejected as Superseded too.
   * Rejects with WorkerDied when the worker could not be started, or died twice of the same Config.
   */
  compute(config: Config): Promise<Computed> {
    this.#requestCount += 1;
    return new Promise((resolve, reject) => {
      const job = { config, replacedAnswers: this.#replacedAnswers, resolve, reject };
      if (!this.#busy) return void this.#work(job);
      this.#waiting?.reject(new Superseded());
      this.#waiting = job;
      // The reader may have returned to the lab that is being computed.
      const leaving = config.view.lab !== this.#lab;
      if (leaving !== this.#leaving) {
        this.#leaving = leaving;
        this.#overrun?.();
        this.#overrun = undefined;
      }
      this.#overrun ??= this.#watch();
    });
  }

  /**
   * How a cell of the last computed Config was computed. Rejects with Superseded when a newer Config was requested meanwhile and the
   * cell may be gone; with WorkerDied as `compute` does; with the core's Error when there is no such cell.
   */
  explain(node: string, index: number[], full = false): Promise<Explained> {
    return this.#question(({ calls }) => calls.explain(node, index, full));
  }

  /** Now minus before, of every node of the last computed Config that has the shape it had. Rejects as `explain` does. */
  difference(before: readonly Before[]): Promise<Snapshot[]> {
    return this.#question(({ calls }) => calls.difference(before));
  }

  /** Asks about the graph of the last computed Config. A new worker computes that Config again first. */
  async #question<T>(ask: (running: Running) => Promise<T>): Promise<T> {
    const asked = this.#requestCount;
    try {
      return await this.#retryAfterDeath(async (running) => {
        const held = this.#lastComputed;
        if (held && held.by !== running) await this.#ask(running, () => running.calls.compute(held.config));
        if (held) this.#lastComputed = { config: held.config, by: running };
        return this.#ask(running, () => ask(running));
      });
    } catch (error) {
      throw asked === this.#requestCount || error instanceof WorkerDied ? error : new Superseded();
    }
  }

  /** Asks the worker something that is not about the last computed Config. Rejects with WorkerDied as `compute` does, or with the worker's Error. */
  ask<T>(question: (calls: Running["calls"]) => Promise<T>): Promise<T> {
    return this.#retryAfterDeath((running) => this.#ask(running, () => question(running.calls)));
  }

  /** Stops a worker that does not answer: another gets the same calls. A worker without calls is kept. */
  async restart(): Promise<void> {
    // A worker that is still starting does not count as silent.
    const running = await Promise.race([this.#running, null]);
    if (running?.asked) running.giveUp(new WorkerDied("It did not answer."));
  }

  /** Another session's answer has replaced this one's on the page, so the next answer must hold every node. */
  answerReplaced(): void {
    this.#replacedAnswers += 1;
  }

  /** Stops the worker. The session cannot be used afterwards. */
  close(): void {
    this.#closed = true;
    this.#waiting?.reject(new Superseded());
    this.#waiting = null;
    this.#overrun?.();
    this.#end(new Superseded());
  }

  /** Stops the worker once the newest Config has waited too long for it. A worker that is still starting is waited for. */
  #watch(): () => void {
    const { overrun = 3000, leaving = 500 } = this.#options;
    return whileAwake(this.#leaving ? leaving : overrun, () => {
      this.#overrun = undefined;
      if (!this.#waiting || this.#closed) return;
      if (!this.#computing) this.#overrun = this.#watch();
      else {
        this.#computing.giveUp(new Superseded());
        this.#end(new Superseded());
      }
    });
  }

  async #work(first: Job): Promise<void> {
    this.#busy = true;
    for (let job: Job | null = first; job; job = this.#waiting) {
      if (job === this.#waiting) this.#waiting = null;
      this.#overrun?.();
      this.#overrun = undefined;
      const { config, replacedAnswers, resolve, reject } = job;
      this.#lab = config.view.lab;
      this.#leaving = false;
      try {
        resolve(
          await this.#retryAfterDeath(async (running) => {
            this.#computing = running;
            const whole = replacedAnswers !== this.#knownReplacements;
            const computed = await this.#ask(running, () => running.calls.compute(config, whole));
            if (computed.error === undefined) {
              this.#lastComputed = { config, by: running };
              this.#knownReplacements = replacedAnswers;
            }
            return computed;
          }),
        );
      } catch (error) {
        reject(error);
      } finally {
        this.#computing = null;
      }
    }
    this.#busy = false;
  }

  /** Runs `work`; if the worker dies, runs it once more with a new worker. */
  async #retryAfterDeath<T>(work: (running: Running) => Promise<T>): Promise<T> {
    const first = this.#start();
    const running = await first;
    try {
      return await work(running);
    } catch (error) {
      if (!(error instanceof WorkerDied) || this.#closed) throw error;
      // When two calls lose the same worker, the first one has already started the next worker and reports it.
      const isFirst = this.#running === first;
      if (isFirst) this.#end(error);
      const second = this.#start();
      const next = await second;
      try {
        const done = await work(next);
        if (isFirst) this.#options.onRestart?.(error.message);
        return done;
      } catch (again) {
        if (again instanceof WorkerDied && this.#running === second) this.#end(again);
        throw again;
      }
    }
  }

  /** Waits for a call or for the worker's death, whichever comes first. A trap leaves the core unusable, so it counts as a death. */
  async #ask<T>(running: Running, call: () => Promise<T>): Promise<T> {
    const { onSilence, silence = 10_000 } = this.#options;
    let silent = false;
    const answered = whileAwake(silence, () => {
      silent = true;
      onSilence?.(true);
    });
    try {
      return await running.during(call());
    } catch (error) {
      if (error instanceof Error && error.name === "RuntimeError") throw new WorkerDied(error.message);
      throw error;
    } finally {
      answered();
      if (silent) onSilence?.(false);
    }
  }

  #start(): Promise<Running> {
    if (this.#closed) return Promise.reject(new WorkerDied("The session is closed."));
    if (!this.#running) {
      const starting = launch(this.#options);
      this.#running = starting;
      starting.catch(() => {
        if (this.#running === starting) this.#running = null;
      });
    }
    return this.#running;
  }

  /** All other calls of the worker fail for the same reason; a call that lost its worker is repeated with a new one. */
  #end(reason: WorkerDied | Superseded): void {
    const running = this.#running;
    this.#running = null;
    running?.then(
      ({ worker, calls, giveUp }) => {
        giveUp(reason);
        calls[releaseProxy]();
        worker.terminate();
      },
      () => {},
    );
  }
}
