/** The leaves of a graph: typed, drawn from a generator, or the vectors of words. Each remembers where its numbers come from. */
import { choice, finiteNumber, integer, integers, options, refuse, text } from "./arguments.js";
import type { Origin } from "./description.js";
import { Layers } from "./layers.js";
import type { Node } from "./node.js";
import { RandomState, type Divisor, type Draw } from "./random.js";
import type { DataType, Precision, Tensor, TensorData } from "./tensor.js";
import type { WasmModule } from "./wasm.js";

export type DrawMethod = "randn" | "randint" | "uniform";

export interface DrawOptions {
  shape: readonly number[];
  /** Divides every number drawn. */
  divisor?: number;
  /** Divides every number drawn by its square root: randn / sqrt(D). Not together with `divisor`. */
  sqrtDivisor?: number;
  /** The lower bound of randint and uniform; absent: 0. */
  low?: number;
  /** The upper bound of randint, where it is required, and of uniform; absent: 1. */
  high?: number;
}

/** The operations that make leaves. */
export abstract class Leaves extends Layers {
  abstract readonly precision: Precision;
  /** @internal */
  protected abstract readonly module: WasmModule;

  /** Makes a leaf of `tensor`, after checking that its type is among the allowed ones. */
  protected abstract makeLeaf(
    operation: string,
    argument: string,
    name: string,
    tensor: Tensor<TensorData>,
    allowed: readonly DataType[],
    origin: Origin,
  ): Node;

  /** Throws Error unless a leaf of this name and shape can be added: checked before anything is drawn for it. */
  protected abstract checkLeaf(operation: string, name: string, shape: number[]): void;

  /** A leaf with the numbers, ids or mask of `tensor`. An empty name becomes "#" and a number. */
  leaf(name: string, tensor: Tensor<TensorData>): Node {
    text("leaf", "name", name);
    return this.makeLeaf("leaf", "tensor", name, tensor, ["int32", "bool", this.precision], {
      kind: "literal",
    });
  }

  /** A leaf drawn from a generator. Its origin has the seed and the place in the stream. */
  draw(name: string, random: RandomState, method: DrawMethod, given: DrawOptions): Node {
    const known = ["shape", "divisor", "sqrtDivisor", "low", "high"] as const;
    const { shape, divisor, sqrtDivisor, low, high } = options("draw", given, known);
    if (!(random instanceof RandomState)) refuse("draw", "random", "a random state", random);
    const by = divisorOf(divisor, sqrtDivisor);
    const range = rangeOf(method, low, high);
    const origin: Origin = { kind: "draw", method, ...range, ...random.place };
    if (!("divisor" in by) || by.divisor !== 1) Object.assign(origin, by);
    return this.#drawn("draw", name, shape, origin, (count) =>
      random.draw("draw", { method, ...range } as Draw, count, by),
    );
  }

  /** (L, dim): a token has the vector RandomState(crc32(UTF-8 of its NFC form) XOR seed).randn(dim) wherever it stands. */
  tokenVectors(name: string, tokens: readonly string[], seed: number, dim: number): Node {
    const operation = "tokenVectors";
    if (!Array.isArray(tokens) || tokens.length === 0) {
      refuse(operation, "tokens", "a list of at least one word", tokens);
    }
    const words = tokens.map((token, place) => text(operation, `tokens[${place}]`, token).normalize("NFC"));
    integer(operation, "seed", seed, { min: 0, max: 2 ** 32 - 1 });
    integer(operation, "dim", dim, { min: 1 });
    const origin: Origin = { kind: "token_vectors", tokens: words, seed, dim };
    const utf8 = new TextEncoder();
    return this.#drawn(operation, name, [words.length, dim], origin, () => {
      const bytes = words.map((word) => utf8.encode(word));
      return this.module.tokenVectors(bytes, seed, dim) as Float64Array;
    });
  }

  /** Numbers are drawn in double and kept in the graph's precision. */
  #drawn(
    operation: string,
    name: string,
    given: readonly number[],
    origin: Origin,
    draw: (count: number) => Float64Array,
  ): Node {
    const shape = integers(operation, "shape", given, { min: 1 });
    this.checkLeaf(operation, text(operation, "name", name), shape);
    const drawn = draw(shape.reduce((product, size) => product * size, 1));
    const data = this.precision === "float64" ? drawn : Float32Array.from(drawn);
    return this.makeLeaf(operation, "data", name, { shape, data }, [this.precision], origin);
  }
}

function divisorOf(divisor: number | undefined, sqrtDivisor: number | undefined): Divisor {
  if (sqrtDivisor === undefined) {
    const by = finiteNumber("draw", "divisor", divisor ?? 1);
    return by === 0 ? refuse("draw", "divisor", "a number other than 0", by) : { divisor: by };
  }
  if (divisor !== undefined) throw new Error("draw: expected either divisor or sqrtDivisor, got both");
  return { sqrtDivisor: finiteNumber("draw", "sqrtDivisor", sqrtDivisor, { positive: true }) };
}

function rangeOf(
  method: unknown,
  low: number | undefined,
  high: number | undefined,
): { low?: number; high?: number } {
  choice("draw", "method", method, ["randn", "randint", "uniform"]);
  if (method === "randn") {
    if (low !== undefined) refuse("draw", "low", "nothing, for randn has no range", low);
    if (high !== undefined) refuse("draw", "high", "nothing, for randn has no range", high);
    return {};
  }
  if (method === "uniform") {
    return { low: finiteNumber("draw", "low", low ?? 0), high: finiteNumber("draw", "high", high ?? 1) };
  }
  const from = integer("draw", "low", low ?? 0);
  return { low: from, high: integer("draw", "high", high, { min: from + 1 }) };
}
