/** Continuing many texts by a GPT-2 model, one after the other: the graph of one token is built once. */
import { DEFAULT_MAX_BYTES, integer, options, refuse, refuseExtraArguments } from "../arguments.js";
import { dispose } from "../disposable.js";
import { checkTensor, type Tensor } from "../tensor.js";
import {
  CONTINUATION,
  continuationAttributes,
  GPT2,
  STACK,
  stackAttributes,
  type ContinuationOptions,
  type StackOptions,
} from "./model-options.js";
import type { Continuation } from "./model-nodes.js";
import { Parameters } from "./parameters.js";
import type { TransformerModule, WasmGpt2Decoder } from "./wasm.js";

export interface Gpt2DecoderOptions extends StackOptions {
  /** The most ids that are read: of a prompt and all that is appended to it but the last. */
  length: number;
  /** The samples that are continued together; absent: prompts have no batch axis. */
  batch?: number;
  /** The memory limit of all its numbers; absent: 512 MB. */
  maxBytes?: number;
}

/** Made by `core.gpt2Decoder()`. Whoever makes it ends it with `delete()` or `using`. */
export class Gpt2Decoder implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  readonly #batch: number | undefined;
  #wasm: WasmGpt2Decoder | null;

  /** @internal */
  constructor(module: TransformerModule, parameters: Parameters, given: Gpt2DecoderOptions) {
    const operation = "gpt2Decoder";
    const known = [...STACK, "length", "batch", "maxBytes"] as const;
    const { length, batch, maxBytes = DEFAULT_MAX_BYTES, ...stack } = options(operation, given, known);
    if (!(parameters instanceof Parameters)) refuse(operation, "parameters", "parameters", parameters);
    const settings = {
      ...stackAttributes(operation, stack, GPT2),
      length: integer(operation, "length", length, { min: 1 }),
      batch: batch === undefined ? undefined : integer(operation, "batch", batch, { min: 1 }),
      maxBytes: integer(operation, "maxBytes", maxBytes, { min: 0 }),
    };
    this.#batch = settings.batch;
    this.#wasm = module.createGpt2Decoder(parameters.handle(operation), settings)!;
  }

  /** Continues a prompt, (L) or (batch, L): what `graph.gpt2Continuation` gives, without its nodes. */
  continueTexts(prompt: Tensor<Int32Array>, given: ContinuationOptions): Continuation {
    const operation = "continueTexts";
    const wasm = this.#alive(operation);
    checkTensor(operation, "prompt", prompt, ["int32"]);
    const batch = this.#batch;
    const { shape, data } = prompt;
    const fits = batch === undefined ? shape.length === 1 : shape.length === 2 && shape[0] === batch;
    if (!fits || data.length === 0) {
      const expected = batch === undefined ? "[length]" : `[${batch}, length]`;
      refuse(operation, "prompt.shape", `${expected}, with at least one id`, shape);
    }
    const settings = continuationAttributes(operation, options(operation, given, CONTINUATION));
    const samples = batch ?? 1;
    const text = wasm.continueTexts(data as unknown as Float64Array, samples, settings) as {
      ids: Int32Array[];
      probabilities: Float64Array[];
    };
    const probabilities = text.probabilities.map((row) => ({
      shape: batch === undefined ? [row.length] : [batch, row.length / batch],
      data: row,
    }));
    return { ids: text.ids, probabilities };
  }

  /** Frees the numbers of the decoder. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  #alive(operation: string): WasmGpt2Decoder {
    if (this.#wasm === null) throw new Error(`${operation}: the decoder was deleted`);
    return this.#wasm;
  }
}
