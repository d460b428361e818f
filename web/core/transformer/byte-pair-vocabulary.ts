/** Words cut into pieces of bytes: "Neural Machine Translation of Rare Words with Subword Units", section 3.2. */
import {
  DEFAULT_MAX_BYTES,
  integer,
  integers,
  options,
  refuse,
  text,
  refuseExtraArguments,
} from "../arguments.js";
import { dispose } from "../disposable.js";
import type { Ids } from "../tensor.js";
import { checkTensor } from "../tensor.js";
import type { TransformerModule, WasmBytePairs } from "./wasm.js";

const OPERATION = "bytePairVocabulary";

/** A vocabulary is learned from a text until there are `size` ids, or made of merges that were learned before. */
export type BytePairOptions = (
  | { text: string; size: number; merges?: undefined }
  | { merges: readonly (readonly [number, number])[]; text?: undefined; size?: undefined }
) & {
  /** The memory limit of the bytes of all ids, and of a decoded text; absent: 512 MB. */
  maxBytes?: number;
};

/** Ids as a tensor (N) or a plain list. */
export type IdList = Ids | readonly number[];

/** @internal A list of ids. Throws Error. */
export function idsOf(operation: string, argument: string, ids: IdList): number[] {
  if (Array.isArray(ids)) return integers(operation, argument, ids, { min: 0, max: 2 ** 31 - 1 });
  checkTensor(operation, argument, ids, ["int32"]);
  const { shape, data } = ids as Ids;
  if (shape.length !== 1) refuse(operation, `${argument}.shape`, "one axis", shape);
  return integers(operation, argument, data, { min: 0 });
}

/** @internal Ids as a tensor with one axis. */
export const idTensor = (ids: readonly number[]): Ids => ({
  shape: [ids.length],
  data: Int32Array.from(ids),
});

/** Made by `core.bytePairVocabulary()`. Whoever makes it ends it with `delete()` or `using`. Ids below 256 are the bytes themselves. */
export class BytePairVocabulary implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  #wasm: WasmBytePairs | null;

  /** @internal */
  constructor(module: TransformerModule, given: BytePairOptions) {
    const known = ["text", "size", "merges", "maxBytes"] as const;
    const { text: corpus, size, merges, maxBytes = DEFAULT_MAX_BYTES } = options(OPERATION, given, known);
    integer(OPERATION, "maxBytes", maxBytes, { min: 0 });
    if ((merges === undefined) === (corpus === undefined && size === undefined))
      throw new Error(
        `${OPERATION}: expected either text and size, or merges, got ${merges ? "both" : "neither"}`,
      );
    this.#wasm =
      merges === undefined
        ? module.learnBytePairs(
            text(OPERATION, "text", corpus),
            integer(OPERATION, "size", size, { min: 256, max: 2 ** 31 - 1 }),
            maxBytes,
          )
        : module.createBytePairs(flat(merges), maxBytes);
  }

  /** The number of ids: 256 and one per merge. */
  get size(): number {
    return this.#alive("size").size();
  }

  /** The pairs that became the ids 256, 257, ...: the vocabulary can be made again from them. */
  get merges(): [number, number][] {
    const ids = this.#alive("merges").merges();
    return Array.from({ length: ids.length / 2 }, (_, place) => [ids[2 * place]!, ids[2 * place + 1]!]);
  }

  /** The bytes of an id, which need not be whole characters. */
  bytes(id: number): Uint8Array {
    return this.#alive("bytes").bytes(
      integer(OPERATION, "id", id, { min: 0, max: 2 ** 31 - 1 }),
    ) as Uint8Array;
  }

  /** The ids of a text, (N). Every text can be encoded; merges never cross the border of a word. */
  encode(sentence: string): Ids {
    return idTensor(this.#alive("encode").encode(text(OPERATION, "text", sentence)));
  }

  /** The text of ids; bytes that are not valid UTF-8 become U+FFFD. decode(encode(text)) is the text. */
  decode(ids: IdList): string {
    const bytes = this.#alive("decode").decode(idsOf(OPERATION, "ids", ids)) as Uint8Array;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** Frees the vocabulary. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  #alive(operation: string): WasmBytePairs {
    if (this.#wasm === null) throw new Error(`${operation}: the vocabulary was deleted`);
    return this.#wasm;
  }
}

function flat(merges: unknown): number[] {
  if (!Array.isArray(merges)) return refuse(OPERATION, "merges", "a list of pairs", merges);
  return merges.flatMap((pair: unknown, place) => {
    const ids = integers(OPERATION, `merges[${place}]`, pair, { min: 0, max: 2 ** 31 - 1 });
    return ids.length === 2 ? ids : refuse(OPERATION, `merges[${place}]`, "two ids", pair);
  });
}
