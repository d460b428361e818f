/** The settings of the multi-head lab as a sentence, and its title. */
import { bounds } from "../../config/bounds.js";
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import { headsProblem } from "../../config/rule.js";
import type { Words } from "../../i18n/words.js";
import { attendingControls } from "../attention/attend.js";
import { counted } from "../../telling/phrases.js";
import { labControls } from "../../telling/controls.js";
import { withoutNode, type Refused } from "../../telling/typed-values.js";

type Config = ConfigOf<"multi-head">;

export function title(_config: Config, words: Words): string {
  return words("labs.multi_head.title");
}

export function lede({ numbers }: Config, words: Words, narrow: boolean): string {
  const { heads, keyDim: width, dim } = numbers;
  const kind = narrow ? ".narrow" : heads * width === dim ? "" : ".free";
  return words(`labs.multi_head.lede${kind}`, { width, dim });
}

/** Heads that share the numbers of a word evenly keep doing so. */
function isShared({ heads, keyDim, valueDim, dim }: MultiHeadNumbers): boolean {
  return heads * keyDim === dim && keyDim === valueDim;
}

/** Another number of heads, or of numbers per word. */
function split(after: MultiHeadNumbers, before: MultiHeadNumbers, words: Words): MultiHeadNumbers | Refused {
  const { heads, dim } = after;
  if (heads === before.heads && dim === before.dim) return before;
  if (!isShared(before)) return { ...after, edits: [] };
  if (headsProblem(after)) return { refused: words("labs.refused.heads", { heads, dim }) };
  const width = dim / heads;
  if (width > bounds.keyDim.max)
    return { refused: words("labs.refused.width", { width, max: bounds.keyDim.max }) };
  return { ...after, keyDim: width, valueDim: width, edits: [] };
}

export const settings = labControls({
  id: "multi-head",
  say: null,
  sentence: ({ numbers }, words) =>
    words(numbers.source === "draw" ? "labs.multi_head.sentence.drawn" : "labs.multi_head.sentence"),
  controls: {
    source: {
      options: (_config, words) =>
        (["draw", "words"] as const).map((value) => ({ value, label: words(`labs.source.${value}`) })),
      then(after, before) {
        if (after.source === before.source || after.source === "draw") return before;
        const { tokens, length } = before;
        const named = Array.from({ length }, (_, row) => `word_${row + 1}`);
        return { ...after, tokens: tokens.length > 0 ? tokens : named, run: 1, edits: [] };
      },
    },
    words: {
      setting: "tokens",
      pieces: true,
      essential: true,
      range: () => ({ min: 1, max: 64 }),
      label: ({ numbers }, words) => counted(words, "labs.words", rowCount(numbers)),
      then(after, before) {
        if (before.source === "words" && after.tokens.join(" ") === before.tokens.join(" ")) return before;
        return { ...after, source: "words", run: 1, edits: withoutNode(after.edits, "x") };
      },
    },
    dim: { label: ({ numbers }, words) => counted(words, "labs.numbers", numbers.dim), then: split },
    heads: {
      essential: true,
      help: ({ numbers }, words) =>
        words(`labs.help.multi_head.heads${isShared(numbers) ? "" : ".free"}`, { dim: numbers.dim }),
      then: split,
    },
    keyDim: {
      title: "labs.field.headWidth",
      then: (after, before) => ({
        ...after,
        valueDim: before.valueDim === before.keyDim ? after.keyDim : after.valueDim,
      }),
    },
    seed: { essential: true },
    item: {
      kind: "number",
      range: ({ batch }) => ({ min: 0, max: batch - 1 }),
      value: ({ view }) => String(view.item),
      label: ({ view }, words) => words("labs.item", { n: view.item }),
    },
    ...attendingControls<"multi-head">(
      (numbers) => [rowCount(numbers), rowCount(numbers)],
      (numbers) => String(numbers.keyDim),
    ),
  },
});
