/** The loaded core: functions, random generators and graphs of one wasm module. */
import { integer, text, refuseExtraArguments } from "./arguments.js";
import { Functions } from "./functions.js";
import { RandomState, type RandomOptions } from "./random.js";
import type { WasmModule } from "./wasm.js";

/** The loaded core, made by `load()`. */
export class Core extends Functions {
  static {
    refuseExtraArguments(this);
  }

  /** The build that is in use. */
  readonly build: "simd" | "relaxed";

  /** @internal */
  constructor(module: WasmModule, build: "simd" | "relaxed") {
    super(module);
    this.build = build;
  }

  /** The number of graphs and generators that are not deleted yet. */
  get liveHandles(): number {
    return this.module.liveHandles();
  }

  /** The memory that the module has taken, in bytes. Freed memory is used again, but never given back to the system. */
  get memoryBytes(): number {
    return this.module.memoryBytes();
  }

  /** @internal The number of JavaScript values that the core refers to: 0 between calls. */
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
