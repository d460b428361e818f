/** Lab 12: why self-attention. Its numbers, their checks and rules, and the fields of its links. */
import { edits, flag, oneOf, whole } from "../checks.js";
import type { Edit } from "../config.js";
import { choice as oneWord, edits as editsText, flag as flagText, whole as wholeText } from "../forms.js";
import { field, keptEdits } from "../field.js";
import type { Leaves } from "../cells.js";
import { editsRule } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

/** The longest text whose layers are counted. */
export const lengths = { min: 16, max: 512 } as const;
export const widths = [16, 32, 64, 128] as const;
/** Each divides every width. */
export const headCounts = [1, 2, 4, 8] as const;
/** Odd, so that a kernel has a middle. */
export const kernels = [3, 5, 7, 9] as const;
export const neighbourhoods = [4, 8, 16] as const;
/** How often the times were asked for; 0: never, and nothing is timed. */
export const measurings = { min: 0, max: 9 } as const;

/** All that changes a value in the complexity lab. */
export interface ComplexityNumbers {
  /** n, the words of the text. */
  length: number;
  /** d, the width of a word. */
  dim: number;
  heads: number;
  /** k, the words a kernel covers. */
  kernel: number;
  /** r, the words near a word. */
  near: number;
  /** Whether the two attentions are counted with the products that make queries, keys, values and the output. */
  projected: boolean;
  measured: number;
  edits: Edit[];
}

/** Every number here is counted or timed. */
const leaves = (): Leaves => ({});

export const complexity: LabConfig<ComplexityNumbers> = {
  entries: {
    length: whole(lengths),
    dim: oneOf(widths),
    heads: oneOf(headCounts),
    kernel: oneOf(kernels),
    near: oneOf(neighbourhoods),
    projected: flag,
    measured: whole(measurings),
    edits,
  },
  rules: [editsRule(leaves)],
  fields: [
    field("length", "length", wholeText(lengths)),
    field("dim", "dim", oneWord(widths)),
    field("heads", "heads", oneWord(headCounts)),
    field("kernel", "kernel", oneWord(kernels)),
    field("near", "near", oneWord(neighbourhoods)),
    field("projected", "projected", flagText),
    field("measured", "measured", wholeText(measurings)),
    field("edits", "edit", editsText, keptEdits(leaves)),
  ],
  leaves,
};
