/** The page's side of both parts of the core: one session for each, started when it is first needed. */
import type { Config } from "../config/config.js";
import type { Explanation, GradientExplanation, Tensor } from "../core/attention.js";
import type { Snapshot } from "../marks/scene.js";
import type { Before } from "./difference.js";
import { partOf, type Part } from "./part.js";
import { Superseded, type SessionClient } from "./session-client.js";
import type { Computed } from "./session.js";
import type { Cell } from "./transformer-session.js";

export class PartsClient {
  readonly #start: (part: Part) => SessionClient;
  readonly #sessions = new Map<Part, SessionClient>();
  /** The part that the last Config was given to, and how often it was another than before. */
  #part: Part | null = null;
  #moves = 0;
  /** The last Config that was computed. */
  #answered: { config: Config; by: SessionClient } | null = null;

  constructor(start: (part: Part) => SessionClient) {
    this.#start = start;
  }

  /** Computes a Config with the part that its numbers need. Rejects as SessionClient does, also when a Config of the other part came meanwhile. */
  async compute(config: Config): Promise<Computed> {
    const part = partOf(config);
    const session = this.#session(part);
    if (part !== this.#part) {
      this.#part = part;
      this.#moves += 1;
      for (const other of this.#sessions.values()) if (other !== session) other.lost();
    }
    const moves = this.#moves;
    const computed = await session.compute(config);
    if (moves !== this.#moves) throw new Superseded();
    if (computed.error === undefined) this.#answered = { config, by: session };
    return computed;
  }

  /** Every node of a Config that is not shown, with the part that its numbers need. */
  async apart(config: Config): Promise<Snapshot[]> {
    return this.#session(partOf(config)).ask((calls) => calls.apart(config));
  }

  async explain(node: string, index: number[], full: boolean): Promise<Explanation> {
    return this.#last("explain").by.explain(node, index, full);
  }

  async difference(before: readonly Before[]): Promise<Snapshot[]> {
    return this.#last("difference").by.difference(before);
  }

  async program(language: "numpy" | "pytorch"): Promise<string> {
    const { config } = this.#last("program");
    return this.#session("transformer").ask(({ program }) => program(config, language));
  }

  async explainGradient(
    of: Cell,
    node: string,
    index: number[],
    full: boolean,
  ): Promise<GradientExplanation | null> {
    const { config } = this.#last("explainGradient");
    return this.#session("transformer").ask((calls) => calls.explainGradient(config, of, node, index, full));
  }

  async gradients(of: Cell): Promise<Snapshot[]> {
    const { config } = this.#last("gradients");
    return this.#session("transformer").ask((calls) => calls.gradients(config, of));
  }

  async file(node: string, format: "npy"): Promise<Uint8Array> {
    const { config } = this.#last("file");
    return this.#session("transformer").ask((calls) => calls.file(config, node, format));
  }

  async bytePairs(text: string, merges: number): Promise<{ pieces: string[]; merges: number }> {
    return this.#session("transformer").ask((calls) => calls.bytePairs(text, merges));
  }

  async readNpy(bytes: Uint8Array): Promise<Tensor> {
    return this.#session("transformer").ask((calls) => calls.readNpy(bytes));
  }

  async readNpz(bytes: Uint8Array): Promise<Record<string, Tensor>> {
    return this.#session("transformer").ask((calls) => calls.readNpz(bytes));
  }

  /** Gives up the workers; what they were asked is asked of others. */
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
    if (!this.#answered) throw new Error(`${question}: nothing is computed yet`);
    return this.#answered;
  }
}
