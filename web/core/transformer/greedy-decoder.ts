/** Greedy decoding of many sources, one after the other: the graph is built once. */
import { DEFAULT_MAX_BYTES, integer, integers, options, refuse, refuseExtraArguments } from "../arguments.js";
import { dispose } from "../disposable.js";
import { checkShapeOf, checkTensor, type DataType, type Tensor, type TensorData } from "../tensor.js";
import { GREEDY, greedyAttributes, type GreedyOptions } from "./model-options.js";
import { Parameters } from "./parameters.js";
import type { TransformerModule, WasmGreedyDecoder } from "./wasm.js";

export interface GreedyDecoderOptions extends Omit<GreedyOptions, "cache" | "keyMask"> {
  /** The shape of every source: (S) or (B, S). */
  source: readonly number[];
  /** The memory limit of all its numbers; absent: 512 MB. */
  maxBytes?: number;
}

/** Made by `core.greedyDecoder()`. Whoever makes it ends it with `delete()` or `using`. */
export class GreedyDecoder implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  readonly #shape: readonly number[];
  readonly #all: Uint8Array;
  #wasm: WasmGreedyDecoder | null;

  /** @internal */
  constructor(module: TransformerModule, parameters: Parameters, given: GreedyDecoderOptions) {
    const operation = "greedyDecoder";
    const known = [...GREEDY, "source", "maxBytes"] as const;
    const { source, maxBytes = DEFAULT_MAX_BYTES, ...greedy } = options(operation, given, known);
    if (!(parameters instanceof Parameters)) refuse(operation, "parameters", "parameters", parameters);
    this.#shape = integers(operation, "source", source, { min: 1 });
    const settings = {
      ...greedyAttributes(operation, greedy),
      maxBytes: integer(operation, "maxBytes", maxBytes, { min: 0 }),
    };
    this.#wasm = module.createGreedyDecoder(parameters.handle(operation), this.#shape as number[], settings)!;
    this.#all = new Uint8Array(this.#shape.reduce((cells, size) => cells * size, 1)).fill(1);
  }

  /**
   * The ids of each sample: `begin`, then the appended ones. `keyMask`, of the source's shape, is 1 where an id may be attended;
   * absent: everywhere.
   */
  decode(source: Tensor<Int32Array>, keyMask?: Tensor<Uint8Array>): Int32Array[] {
    const wasm = this.#alive("decode");
    this.#check("source", source, "int32");
    if (keyMask !== undefined) this.#check("keyMask", keyMask, "bool");
    return wasm.decode(
      source.data as unknown as Float64Array,
      (keyMask?.data ?? this.#all) as unknown as Float64Array,
    ) as Int32Array[];
  }

  /** Frees the numbers of the decoder. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  #check(argument: string, tensor: Tensor<TensorData>, type: DataType): void {
    checkTensor("decode", argument, tensor, [type]);
    checkShapeOf("decode", argument, tensor, { name: "the decoder", shape: this.#shape });
  }

  #alive(operation: string): WasmGreedyDecoder {
    if (this.#wasm === null) throw new Error(`${operation}: the decoder was deleted`);
    return this.#wasm;
  }
}
