/** A worker that runs in the thread of the test: with the same messages, cloned as between threads, and the same session. */
import { expose } from "comlink";
import type { Config } from "../../web/config/config.js";
import type { Answer, Computed, LoadMessage } from "../../web/session/messages.js";

export type Behaviour =
  "works" | "traps" | "silent" | "fails" | "no memory" | "errors" | "fails without a message";

/** The calls that the worker answers. */
export interface WorkerCalls {
  compute(config: Config, whole?: boolean): Computed;
}

export class InThreadWorker extends EventTarget {
  readonly computed: Config[] = [];
  /** The number of computations that have begun. */
  begun = 0;
  /** Each computation first waits for this promise, so that a test can delay it. */
  gate: Promise<void> = Promise.resolve();
  /** The next computation throws this error, as a trap of the core would. */
  trap: Error | null = null;
  terminated = false;
  readonly #inside = new EventTarget();

  constructor(behaviour: Behaviour, calls: WorkerCalls) {
    super();
    if (behaviour === "traps") this.trap = new Error("unreachable again");
    const scope = {
      addEventListener: this.#inside.addEventListener.bind(this.#inside),
      removeEventListener: this.#inside.removeEventListener.bind(this.#inside),
      postMessage: (data: unknown) =>
        queueMicrotask(() =>
          this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })),
        ),
    };
    const start = ({ data }: MessageEvent<LoadMessage>): void => {
      if (data.type !== "load") return;
      this.#inside.removeEventListener("message", start as EventListener);
      if (behaviour === "silent") return;
      if (behaviour === "errors") return this.fail("no such script");
      if (behaviour === "fails without a message") return this.fail("");
      const failed = (message: string, memory: boolean) =>
        scope.postMessage({ type: "failed", message, memory } satisfies Answer);
      if (behaviour === "fails") return failed("load: no core there", false);
      if (behaviour === "no memory") return failed("load: no memory for it", true);
      expose(
        {
          ...calls,
          compute: async (config: Config, whole?: boolean): Promise<Computed> => {
            this.begun += 1;
            await this.gate;
            if (this.trap) throw Object.assign(this.trap, { name: "RuntimeError" });
            this.computed.push(config);
            return calls.compute(config, whole);
          },
        },
        scope as unknown as Parameters<typeof expose>[1],
      );
      scope.postMessage({ type: "ready" });
    };
    this.#inside.addEventListener("message", start as EventListener);
  }

  postMessage(data: unknown): void {
    queueMicrotask(() =>
      this.#inside.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })),
    );
  }

  fail(message: string): void {
    this.dispatchEvent(Object.assign(new Event("error"), { message }));
  }

  terminate(): void {
    this.terminated = true;
  }
}
