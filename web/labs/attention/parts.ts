/** What the pictures of the attention lab are drawn from. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive } from "../../config/labs/attention.js";
import type { Key } from "../../i18n/words.js";
import type { Room } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import type { Block } from "../../stage/place.js";
import { logitNodes } from "./flow.js";
import { isOwn } from "./own.js";
import { conversionNodes, endsWith, exponentialNodes } from "./masking.js";
import { namesOf } from "./tensors.js";

/** From what stands over the scores to v. */
export const GAP_V = 22;

/** The text under the scale of a family, the longest first; a phone takes the second of them, or the only one. */
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
  cross: boolean;
  /** Q, K and V are the reader's own: they stand without the words and projections that give them. */
  own: boolean;
  /** What stands over the scores: the keys, or what they and one query add up to. */
  over: Block;
  /** The values as they stand over the output. */
  values: Block;
  /** Whose pairs are shown, where each query has its own. */
  query: number | null;
  /** Scores as they are, divided, masked: those there are. */
  logits: string[];
  /** From the mask as it is written to what hides scores. */
  conversion: string[];
  /** Between the last scores and the weights. */
  exponentials: string[];
}

/** A number as a subscript: ₁₂. */
const lowered = (n: number): string =>
  String(n).replace(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)));

export function partsOf({ numbers }: ConfigOf<"attention">, room: Room, of: Parts["of"]): Parts {
  const query = isAdditive(numbers) ? (readArrangement(room).memory[0] ?? 0) : null;
  const { rows, keys } = namesOf(numbers, room.words);
  const symbol = { text: `tanh(q${lowered(query ?? 0)}+k)` };
  return {
    numbers,
    room,
    of,
    names: rows,
    keyNames: keys,
    cross: numbers.memory.length > 0,
    own: isOwn(numbers),
    over: query === null ? of("K_T") : { ...of("hidden"), at: [query, null, null], symbol },
    values: { ...of("V"), step: of("output").step },
    query,
    logits: logitNodes(numbers),
    conversion: conversionNodes(numbers),
    exponentials: exponentialNodes(numbers),
  };
}

/** Whether a tensor of the conversion is a mask as it is written, not computed from another. */
export const isWritten = (node: string): boolean => node === "mask" || node === "key_padding_mask";

/** What is done to get to a tensor of the row line: in one line, or in two where the gap is narrow. */
export function operationTo(node: string, { numbers, room, exponentials }: Parts): [string, string?] {
  if (node === "scaled") return [`÷√${numbers.keyDim}`];
  if (node === "masked") return [room.words("labs.operator.mask")];
  if (node === "inverted" || node === "real_keys") return ["1−"];
  if (node === "combined") return [endsWith(numbers) === "kept" ? "min" : "max"];
  if (node === "term") return ["×−10⁹"];
  if (node === "exp") return ["exp"];
  if (node === "total") return ["Σ"];
  return exponentials.length > 0 ? ["÷"] : ["soft", "max"];
}
