/** The tensors, names and texts that the pictures of the attention lab share. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive } from "../../config/labs/attention.js";
import type { Key } from "../../i18n/words.js";
import type { Room } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import type { Block } from "../../stage/place.js";
import { logitNodes } from "./flow.js";
import { isOwn } from "./own.js";
import { conversionNodes, markedPairs, exponentialNodes } from "./mask-conversion.js";
import { rowAndKeyNames } from "./tensors.js";

/** The gap between the tensor above the scores and v. */
export const GAP_V = 22;

/** The texts under the colour scale of a family, the longest first. A phone uses the second one, or the only one. */
export const scaleTexts: Readonly<Record<string, readonly Key[]>> = {
  vectors: ["labs.legend.vectors", "labs.legend.vectors.short", "labs.legend.vectors.shortest"],
  parameters: ["labs.legend.parameters", "labs.legend.parameters.short"],
  scores: ["labs.legend.scores", "labs.legend.score"],
  exponentials: ["labs.legend.exponentials"],
  weights: ["labs.legend.weights"],
};

export interface Parts {
  numbers: AttentionNumbers;
  room: Room;
  of: (node: string) => Block;
  names: string[];
  keyNames: string[];
  /** Whether keys and values come from a memory. */
  hasMemory: boolean;
  /** Whether Q, K and V are the reader's own. Then the words and the projection matrices are not shown. */
  hasOwnMatrices: boolean;
  /** The tensor above the scores: the transposed keys, or tanh of their sums with one query. */
  overScores: Block;
  /** The values above the output, which appear at its stop. */
  values: Block;
  /** With additive attention, the query whose pairs are shown; otherwise null. */
  query: number | null;
  /** The nodes from the scores to the input of softmax. */
  logits: string[];
  /** The nodes from the mask as it is written to the scores. */
  conversion: string[];
  /** The nodes between the input of softmax and the weights. */
  exponentials: string[];
}

/** A number as a subscript: ₁₂. */
const subscript = (n: number): string =>
  String(n).replace(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)));

export function partsOf({ numbers }: ConfigOf<"attention">, room: Room, of: Parts["of"]): Parts {
  const query = isAdditive(numbers) ? (readArrangement(room).memory[0] ?? 0) : null;
  const { rows, keys } = rowAndKeyNames(numbers, room.words);
  const symbol = { text: `tanh(q${subscript(query ?? 0)}+k)` };
  return {
    numbers,
    room,
    of,
    names: rows,
    keyNames: keys,
    hasMemory: numbers.memory.length > 0,
    hasOwnMatrices: isOwn(numbers),
    overScores: query === null ? of("K_T") : { ...of("hidden"), at: [query, null, null], symbol },
    values: { ...of("V"), step: of("output").step },
    query,
    logits: logitNodes(numbers),
    conversion: conversionNodes(numbers),
    exponentials: exponentialNodes(numbers),
  };
}

/** Whether a node of the conversion is a mask as it is written, and not computed from another. */
export const isWrittenMask = (node: string): boolean => node === "mask" || node === "key_padding_mask";

/** The operation that gives a node in a row of columns, as one text, or as two lines for a narrow gap. */
export function operationTo(node: string, { numbers, room, exponentials }: Parts): [string, string?] {
  if (node === "scaled") return [`÷√${numbers.keyDim}`];
  if (node === "masked") return [room.words("labs.operator.mask")];
  if (node === "inverted" || node === "real_keys") return ["1−"];
  if (node === "combined") return [markedPairs(numbers) === "kept" ? "min" : "max"];
  if (node === "term") return ["×−10⁹"];
  if (node === "exp") return ["exp"];
  if (node === "total") return ["Σ"];
  return exponentials.length > 0 ? ["÷"] : ["soft", "max"];
}
