/** NumPy's legacy generator: np.random.RandomState, bit for bit. */
import {
  DEFAULT_MAX_BYTES,
  finiteNumber,
  integer,
  integers,
  options,
  refuse,
  refuseExtraArguments,
} from "./arguments.js";
import { dispose } from "./disposable.js";
import { checkShape, type Tensor } from "./tensor.js";
import type { WasmModule, WasmRandomState } from "./wasm.js";

/** The NumPy name of a draw, and its two arguments where it has them. */
export type Draw =
  | { method: "uint32" | "random_sample" | "randn" }
  | { method: "uniform" | "normal" | "randint"; low: number; high: number };

/** A place in a random stream: the seed, and the draws to skip after seeding. */
export interface Place {
  /** The seed as given: a number or a list. */
  seed: number | number[];
  /** NumPy calls that make all earlier draws, such as "randn(91136); randint(0, 3, 9)". */
  skip: string;
}

/** The divisor of every drawn number: a number, or the square root of one. */
export type Divisor = { divisor: number } | { sqrtDivisor: number };

export interface RandomOptions {
  /** The memory limit of one draw, in bytes; absent: 512 MB. */
  maxBytes?: number;
}

const UINT32_MAX = 2 ** 32 - 1;

/** A random stream. Shapes are a number or a list; results are Float64Array tensors, exact for integers. */
export class RandomState implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  readonly #seed: number | number[];
  readonly #history: { call: string; count: number }[] = [];
  #wasm: WasmRandomState | null;

  /** @internal */
  constructor(module: WasmModule, seed: number | readonly number[], given?: RandomOptions) {
    const { maxBytes = DEFAULT_MAX_BYTES } = options("randomState", given, ["maxBytes"]);
    integer("randomState", "maxBytes", maxBytes, { min: 0 });
    if (typeof seed === "number") {
      this.#seed = integer("randomState", "seed", seed, { min: 0, max: UINT32_MAX });
      this.#wasm = module.createRandomState([seed], false, maxBytes)!;
    } else {
      this.#seed = integers("randomState", "seed", seed, { min: 0, max: UINT32_MAX });
      if (this.#seed.length === 0) refuse("randomState", "seed", "at least one number", seed);
      this.#wasm = module.createRandomState(this.#seed, true, maxBytes)!;
    }
  }

  /** Uniform numbers in [0, 1), 53 bits each. */
  randomSample(shape: number | readonly number[]): Tensor<Float64Array> {
    return this.#tensor("randomSample", { method: "random_sample" }, shape);
  }

  /** low + (high - low) * random_sample. */
  uniform(low: number, high: number, shape: number | readonly number[]): Tensor<Float64Array> {
    finiteNumber("uniform", "low", low);
    finiteNumber("uniform", "high", high);
    return this.#tensor("uniform", { method: "uniform", low, high }, shape);
  }

  /** Standard normal numbers. */
  randn(shape: number | readonly number[]): Tensor<Float64Array> {
    return this.#tensor("randn", { method: "randn" }, shape);
  }

  /** loc + scale * randn. */
  normal(loc: number, scale: number, shape: number | readonly number[]): Tensor<Float64Array> {
    finiteNumber("normal", "loc", loc);
    if (finiteNumber("normal", "scale", scale) < 0)
      refuse("normal", "scale", "a number of at least 0", scale);
    return this.#tensor("normal", { method: "normal", low: loc, high: scale }, shape);
  }

  /** Integers in [low, high). */
  randint(low: number, high: number, shape: number | readonly number[]): Tensor<Float64Array> {
    integer("randint", "low", low);
    integer("randint", "high", high, { min: low + 1 });
    return this.#tensor("randint", { method: "randint", low, high }, shape);
  }

  /** The numbers 0 ... n - 1 in random order. */
  permutation(n: number): Tensor<Float64Array> {
    const count = integer("permutation", "n", n, { min: 0 });
    const data = this.#alive("permutation").permutation(count) as Float64Array;
    this.#history.push({ call: "permutation(", count });
    return { shape: [count], data };
  }

  /** Raw 32-bit words. */
  uint32(n: number): Tensor<Float64Array> {
    return this.#tensor("uint32", { method: "uint32" }, integer("uint32", "n", n, { min: 0 }));
  }

  /** The present place of the stream: the draws that a leaf drawn now would have to skip. */
  get place(): Place {
    return { seed: this.#seed, skip: this.#history.map(({ call, count }) => `${call}${count})`).join("; ") };
  }

  /** @internal The core checks only the range of randint and the memory. */
  draw(operation: string, draw: Draw, count: number, by?: Divisor): Float64Array {
    const [low, high] = "low" in draw ? [draw.low, draw.high] : [0, 0];
    const isRoot = by !== undefined && "sqrtDivisor" in by;
    const divisor = isRoot ? by.sqrtDivisor : (by?.divisor ?? 1);
    const data = this.#alive(operation).draw(draw.method, count, low, high, divisor, isRoot) as Float64Array;
    this.#remember(draw, count);
    return data;
  }

  /** @internal Passes the stream to `work`, which makes the draws that `draw` and `count` describe. */
  lend<Result>(
    operation: string,
    draw: Draw,
    count: number,
    work: (wasm: WasmRandomState) => Result,
  ): Result {
    const result = work(this.#alive(operation));
    this.#remember(draw, count);
    return result;
  }

  /** @internal True only for objects made by this constructor, whatever their prototype is. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #wasm in value;
  }

  /** Frees the generator. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  #tensor(operation: string, draw: Draw, given: number | readonly number[]): Tensor<Float64Array> {
    const shape = checkShape(operation, "shape", given);
    return {
      shape,
      data: this.draw(
        operation,
        draw,
        shape.reduce((product, size) => product * size, 1),
      ),
    };
  }

  /** Merges consecutive draws of one kind into one. */
  #remember(draw: Draw, count: number): void {
    // A full range of 32 bits takes each word as it is.
    const numbers =
      draw.method === "uint32" ? "0, 4294967296, " : "low" in draw ? `${draw.low}, ${draw.high}, ` : "";
    const call = `${draw.method === "uint32" ? "randint" : draw.method}(${numbers}`;
    const last = this.#history.at(-1);
    if (last?.call === call) last.count += count;
    else if (count > 0) this.#history.push({ call, count });
  }

  #alive(operation: string): WasmRandomState {
    if (this.#wasm === null) throw new Error(`${operation}: the random state was deleted`);
    return this.#wasm;
  }
}
