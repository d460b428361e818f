/** The page's side of both parts of the core: one session for each, started when it is first needed. */
import type { Config } from "../../config/config.js";
import type { GradientExplanation } from "../../core/attention.js";
import type { Before, Cell, Computed } from "../messages.js";
import type { Running } from "./launch.js";
import { partOf, type Part } from "../../labs/list.js";
import { Superseded, type SessionClient } from "./session-client.js";

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

  /** Every node of a Config that is not shown, with the part that its numbers need; what is shown stays. Rejects with the core's Error. */
  async apart(config: Config) {
    return this.#session(partOf(config)).ask((calls) => calls.apart(config));
  }

  /** How a cell of the last computed Config was made; with `full`, long rows hold all their terms. Rejects as SessionClient does. */
  async explain(node: string, index: number[], full: boolean) {
    return this.#last("explain").by.explain(node, index, full);
  }

  /** Now minus before, of every node that has the shape it had; computed in the core. Rejects as SessionClient does. */
  async difference(before: readonly Before[]) {
    return this.#last("difference").by.difference(before);
  }

  /** A program that computes the last computed Config. This and what follows fetches the whole core when first asked. */
  async program(language: "numpy" | "pytorch") {
    return this.#aboutLast("program", ({ program }, config) => program(config, language));
  }

  /**
   * How the gradient of the cell `of` by a cell of `node` was made: 1 at `of`, 0 at the other cells of its node. Null in a frame, whose
   * core cannot say it.
   */
  async explainGradient(
    of: Cell,
    node: string,
    index: number[],
    full: boolean,
  ): Promise<GradientExplanation | null> {
    return this.#aboutLast("explainGradient", (calls, config) =>
      calls.explainGradient(config, of, node, index, full),
    );
  }

  /** The gradient of the cell `of` by every named node that it depends on, each as a tensor to draw. */
  async gradients(of: Cell) {
    return this.#aboutLast("gradients", (calls, config) => calls.gradients(config, of));
  }

  /** The numbers of a node as NumPy's file. */
  async file(node: string, format: "npy") {
    return this.#aboutLast("file", (calls, config) => calls.file(config, node, format));
  }

  /** A text in the pieces of a vocabulary of byte pairs learned from it. */
  async bytePairs(text: string, merges: number) {
    return this.#session("transformer").ask((calls) => calls.bytePairs(text, merges));
  }

  /** The tensor in NumPy's file. Rejects with the core's Error for what is none. */
  async readNpy(bytes: Uint8Array) {
    return this.#session("transformer").ask((calls) => calls.readNpy(bytes));
  }

  /** Gives up workers that do not answer: others are asked the same. */
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

  /** Asks the whole core about the last computed Config. */
  async #aboutLast<T>(
    question: string,
    ask: (calls: Running["calls"], config: Config) => Promise<T>,
  ): Promise<T> {
    const { config } = this.#last(question);
    return this.#session("transformer").ask((calls) => ask(calls, config));
  }

  #last(question: string): { config: Config; by: SessionClient } {
    if (!this.#answered) throw new Error(`${question}: nothing is computed yet`);
    return this.#answered;
  }
}
