/**
 * The fields of a link, version 1, in their order: name, form, and what an absent field means.
 * Frozen: a field may be added at the end of its list with an `absent` that keeps the meaning of older links; nothing else changes.
 */
import { bounds, choices, imageSizes, patchSizes, storyPlaces } from "./bounds.js";
import type { LabId, NumbersOf, View } from "./config.js";
import { field, keptEdits, type Field } from "./field.js";
import * as form from "./forms.js";
import { optimizersConfig } from "./labs/optimizers.js";
import { bert } from "./labs/bert.js";
import { block } from "./labs/block.js";
import { losses } from "./labs/losses.js";
import { scaling } from "./labs/scaling.js";
import { wordsConfig } from "./labs/words.js";
import { leavesOf } from "./leaves.js";
import { complexity } from "./labs/complexity.js";
import { encoderDecoder } from "./labs/encoder-decoder.js";
import { image } from "./pixels.js";

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((entry, at) => entry === b[at]);

type Masked = Pick<NumbersOf["attention"], "mask" | "paint">;
/** The mask of a link that names none: a painting that is given is meant, and one that is gone masks nothing. */
const absentMask = (now: Masked, base: Masked): Masked["mask"] => {
  if (now.paint === base.paint) return base.mask;
  if (now.paint) return "painted";
  return base.mask === "painted" ? "none" : base.mask;
};

type A = NumbersOf["attention"];
const sameRows = (now: A, base: A): boolean => now.dim === base.dim && sameList(now.tokens, base.tokens);
const attention: Field<A>[] = [
  field("tokens", "tokens", form.words),
  field("memory", "memory", form.words),
  field("dim", "dim", form.whole(bounds.dim)),
  // Where the base's keys are as wide as its words, so are the link's.
  field("keyDim", "dk", form.whole(bounds.keyDim), (now, base) =>
    base.keyDim === base.dim ? Math.min(now.dim, bounds.keyDim.max) : base.keyDim,
  ),
  field("valueDim", "dv", form.whole(bounds.valueDim), (now, base) =>
    base.valueDim === base.dim ? Math.min(now.dim, bounds.valueDim.max) : base.valueDim,
  ),
  field("x", "x", form.optional(form.matrix), (now, base) => (sameRows(now, base) ? base.x : null)),
  field("source", "source", form.choice(choices.attentionSource), (now, base) =>
    now.x === base.x && sameRows(now, base) ? base.source : now.x ? "values" : "words",
  ),
  field("seed", "seed", form.whole(bounds.seed)),
  field("draw", "draw", form.choice(choices.attentionDraw), (now, base) =>
    now.source === base.source ? base.draw : "scaled",
  ),
  field("wq", "wq", form.optional(form.matrix), (now, base) =>
    now.dim === base.dim && now.keyDim === base.keyDim ? base.wq : null,
  ),
  field("wk", "wk", form.optional(form.matrix), (now, base) =>
    now.dim === base.dim && now.keyDim === base.keyDim ? base.wk : null,
  ),
  field("wv", "wv", form.optional(form.matrix), (now, base) =>
    now.dim === base.dim && now.valueDim === base.valueDim ? base.wv : null,
  ),
  field("scale", "scale", form.flag),
  field("paint", "paint", form.optional(form.bits), (now, base) =>
    now.tokens.length === base.tokens.length && now.memory.length === base.memory.length ? base.paint : null,
  ),
  field("mask", "mask", form.choice(choices.mask), absentMask),
  field("edits", "edit", form.edits, keptEdits(leavesOf.attention)),
  // Later than the links of the first days, which are all of dot products.
  field("score", "score", form.later(form.choice(choices.attentionScore))),
];

type M = NumbersOf["multi-head"];
/** Width of one head when none is given: an even share of dim. 0, which no width is, when there is no such share. */
const share = ({ dim, heads }: M): number =>
  dim % heads === 0 ? Math.min(dim / heads, bounds.keyDim.max) : 0;
/** Given heads that do not share dim evenly, both widths must be written. */
const headWidth = (key: "keyDim" | "valueDim") => (now: M, base: M) =>
  base[key] === share(base) || share(now) === 0 ? share(now) : base[key];
const multiHead: Field<M>[] = [
  field("tokens", "tokens", form.words),
  field("source", "source", form.choice(choices.multiHeadSource), (now, base) =>
    sameList(now.tokens, base.tokens) ? base.source : now.tokens.length > 0 ? "words" : "draw",
  ),
  field("length", "length", form.whole(bounds.drawLength), (now, base) =>
    now.source === "draw" || (base.source === "words" && sameList(now.tokens, base.tokens))
      ? base.length
      : Math.max(now.tokens.length, 1),
  ),
  field("batch", "batch", form.whole(bounds.batch), (now, base) =>
    now.source === base.source || now.source === "draw" ? base.batch : 1,
  ),
  field("dim", "dim", form.whole(bounds.dim)),
  field("heads", "heads", form.whole(bounds.heads)),
  field("keyDim", "dk", form.whole(bounds.keyDim), headWidth("keyDim")),
  field("valueDim", "dv", form.whole(bounds.valueDim), headWidth("valueDim")),
  field("seed", "seed", form.whole(bounds.seed)),
  field("draw", "draw", form.choice(choices.multiHeadDraw), (now, base) =>
    now.source === base.source ? base.draw : now.source === "words" ? "scaled" : "randn",
  ),
  field("run", "run", form.whole(bounds.run), (now, base) => (now.source === base.source ? base.run : 1)),
  field("scale", "scale", form.flag),
  field("paint", "paint", form.optional(form.bits), (now, base) =>
    now.source === base.source && now.length === base.length && now.tokens.length === base.tokens.length
      ? base.paint
      : null,
  ),
  field("mask", "mask", form.choice(choices.mask), absentMask),
  field("edits", "edit", form.edits, keptEdits(leavesOf["multi-head"])),
];

type P = NumbersOf["positions"];
const positions: Field<P>[] = [
  field("encoding", "encoding", form.choice(choices.encoding)),
  field("length", "length", form.whole(bounds.length)),
  field(
    "positions",
    "positions",
    form.optional(form.wholes(bounds.position, bounds.length.max)),
    (now, base) => (now.length === base.length ? base.positions : null),
  ),
  field("dim", "dim", form.whole(bounds.dim)),
  field("base", "base", form.decimal(bounds.base)),
  field("offset", "offset", form.whole(bounds.offset)),
  field("heads", "heads", form.whole(bounds.heads)),
  field("seed", "seed", form.whole(bounds.seed)),
  field("x", "x", form.optional(form.matrix), (now, base) => {
    const sameCount = now.positions === base.positions && now.length === base.length;
    return now.dim === base.dim && (sameCount || base.x?.length === 1) ? base.x : null;
  }),
  field("edits", "edit", form.edits, keptEdits(leavesOf.positions)),
  // Later than the links of the first days, which leave these three as they are when nothing is said.
  field("tokens", "tokens", form.later(form.words)),
  field("swap", "swap", form.later(form.wholes({ min: 0, max: bounds.words.max - 1 }, 2))),
  field("wordDim", "wdim", form.later(form.whole(bounds.wordDim))),
];

type V = NumbersOf["vit"];
const vit: Field<V>[] = [
  field("image", "image", image),
  field("size", "size", form.choice(imageSizes), (now, base) =>
    "pixels" in now.image
      ? (imageSizes.find((size) => "pixels" in now.image && size * size * 3 === now.image.pixels.length) ??
        base.size)
      : base.size,
  ),
  field("patch", "patch", form.choice(patchSizes)),
  field("compare", "compare", form.choice(choices.compare)),
  field("dim", "dim", form.whole(bounds.dim)),
  field("cls", "cls", form.flag),
  field("seed", "seed", form.whole(bounds.seed)),
  field("edits", "edit", form.edits, keptEdits(leavesOf.vit)),
  field("layers", "layers", form.later(form.whole(bounds.vitLayers))),
  field("heads", "heads", form.later(form.whole(bounds.vitHeads))),
];

export const fields: { readonly [L in LabId]: readonly Field<NumbersOf[L]>[] } = {
  attention,
  "multi-head": multiHead,
  positions,
  vit,
  "encoder-decoder": encoderDecoder.fields,
  optimizers: optimizersConfig.fields,
  block: block.fields,
  losses: losses.fields,
  complexity: complexity.fields,
  scaling: scaling.fields,
  bert: bert.fields,
  words: wordsConfig.fields,
};

/** The fields of the view, for every lab; `before` is as many as the lab has. */
export type Looked = Omit<View, "lab" | "before">;
const none = (): undefined => undefined;
export const viewFields: readonly Field<Looked>[] = [
  field("cell", "cell", form.optional(form.cell)),
  field("pinned", "pin", form.flag),
  field("scales", "scales", form.choice(choices.scales)),
  field("item", "item", form.whole({ min: 0, max: bounds.batch.max - 1 })),
  field("lang", "lang", form.optional(form.lang)),
  field("theme", "theme", form.optional(form.choice(choices.theme))),
  // Later than the links of the first days, in which nothing of this was said.
  field("gradient", "gradient", form.later(form.cell), none),
  field("read", "read", form.later(form.choice(choices.read)), none),
  field("stop", "stop", form.later(form.text), none),
  field("unfolded", "unfold", form.later(form.some(choices.unfolded)), none),
  field("picture", "picture", form.later(form.text), none),
  field("lesson", "lesson", form.later(form.text), none),
  field("story", "story", form.later(form.story), none),
  field("reached", "reached", form.later(form.whole(storyPlaces)), none),
];

/** How the names of the fields begin that say what the numbers are compared with. */
export const beforePrefix = "before.";
