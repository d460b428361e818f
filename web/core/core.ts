/** The core, loaded: functions, generators and graphs of one wasm module. */
import { integer, text, makeExact } from "./arguments.js";
import { Functions } from "./functions.js";
import { RandomState, type RandomOptions } from "./random.js";
import type { WasmModule } from "./wasm.js";

/** Made by `load()`. */
export class Core extends Functions {
  static {
    makeExact(this);
  }

  /** Which build runs. */
  readonly build: "simd" | "relaxed";

  /** @internal */
  constructor(module: WasmModule, build: "simd" | "relaxed") {
    super(module);
    this.build = build;
  }

  /** How many graphs and generators are not yet deleted. */
  get liveHandles(): number {
    return this.module.liveHandles();
  }

  /** What the module has taken of the machine's memory. It uses freed memory again and never gives any back. */
  get memoryBytes(): number {
    return this.module.memoryBytes();
  }

  /** @internal How many JavaScript values the core holds on to: none between calls. */
  get liveValues(): number {
    return this.module.liveValues();
  }

  /** np.random.RandomState(seed): a whole number from 0 to 2^32 - 1, or a list of them. */
  randomState(seed: number | readonly number[], options?: RandomOptions): RandomState {
    return new RandomState(this.module, seed, options);
  }

  /** The seed of a token's vector: crc32(UTF-8 of its NFC form) XOR seed. */
  tokenSeed(token: string, seed: number): number {
    const word = new TextEncoder().encode(text("tokenSeed", "token", token).normalize("NFC"));
    return this.module.tokenSeed(word, integer("tokenSeed", "seed", seed, { min: 0, max: 2 ** 32 - 1 }));
  }
}
