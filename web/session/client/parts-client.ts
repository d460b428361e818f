/** The page's side of both parts of the core: one session for each, started when it is first needed. */
import type { Config } from "../../config/config.js";
import type { Calls } from "../calls.js";
import type { Before, Computed } from "../messages.js";
import type { Running } from "./launch.js";
import { partOf, type Part } from "../../labs/list.js";
import { Superseded, type SessionClient } from "./session-client.js";

type WholeCalls = Required<Calls>;
/** The arguments of a call after its Config. */
type AfterConfig<Call extends (config: Config, ...more: never[]) => unknown> =
  Parameters<Call> extends [Config, ...infer More] ? More : never;

/** A call by its name. Comlink's types do not keep the arguments and the answer of a call together. */
function named<Name extends keyof WholeCalls>(calls: Running["calls"], call: Name) {
  return calls[call] as unknown as (...given: unknown[]) => Promise<ReturnType<WholeCalls[Name]>>;
}

export class PartsClient {
  readonly #start: (part: Part) => SessionClient;
  readonly #sessions = new Map<Part, SessionClient>();
  /** The part that computed the last Config, and how often the part changed. */
  #part: Part | null = null;
  #partChanges = 0;
  /** The last Config that was computed. */
  #lastComputed: { config: Config; by: SessionClient } | null = null;

  constructor(start: (part: Part) => SessionClient) {
    this.#start = start;
  }

  /** Computes a Config with the part that its numbers need. Rejects as SessionClient does, also when the other part got a Config meanwhile. */
  async compute(config: Config): Promise<Computed> {
    const part = partOf(config);
    const session = this.#session(part);
    if (part !== this.#part) {
      this.#part = part;
      this.#partChanges += 1;
      for (const other of this.#sessions.values()) if (other !== session) other.answerReplaced();
    }
    const moves = this.#partChanges;
    const computed = await session.compute(config);
    if (moves !== this.#partChanges) throw new Superseded();
    if (computed.error === undefined) this.#lastComputed = { config, by: session };
    return computed;
  }

  /** Computes every node of another Config with the part that its numbers need; the numbers on the page stay. Rejects with the core's Error. */
  async computeSeparately(config: Config) {
    return this.#session(partOf(config)).ask((calls) => calls.computeSeparately(config));
  }

  /** How a cell of the last computed Config was computed; with `full`, long rows hold all their terms. Rejects as SessionClient does. */
  async explain(node: string, index: number[], full: boolean) {
    return this.#last("explain").by.explain(node, index, full);
  }

  /** The present numbers minus `before`, for every node with an unchanged shape; computed in the core. Rejects as SessionClient does. */
  async difference(before: readonly Before[]) {
    return this.#last("difference").by.difference(before);
  }

  /** Calls a function of the whole core on the last computed Config, by name; fetches that core at the first call. */
  async about<Name extends "checkpoint" | "explainGradient" | "file" | "gradients" | "program">(
    call: Name,
    ...given: AfterConfig<WholeCalls[Name]>
  ): Promise<ReturnType<WholeCalls[Name]>> {
    const { config } = this.#last(call);
    return this.#session("transformer").ask((calls) => named(calls, call)(config, ...given));
  }

  /** Calls a function of the whole core that is not about the last computed Config, by name. */
  async ask<Name extends "bytePairs" | "openCheckpoint" | "readNpy">(
    call: Name,
    ...given: Parameters<WholeCalls[Name]>
  ): Promise<ReturnType<WholeCalls[Name]>> {
    return this.#session("transformer").ask((calls) => named(calls, call)(...given));
  }

  /** Stops workers that do not answer: others get the same calls. */
  restart(): void {
    for (const session of this.#sessions.values()) void session.restart();
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  #session(part: Part): SessionClient {
    const known = this.#sessions.get(part);
    if (known) return known;
    const session = this.#start(part);
    this.#sessions.set(part, session);
    return session;
  }

  #last(question: string): { config: Config; by: SessionClient } {
    if (!this.#lastComputed) throw new Error(`${question}: nothing is computed yet`);
    return this.#lastComputed;
  }
}
