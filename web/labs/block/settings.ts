/** The settings of the block lab as a sentence. */
import { blockBounds, type BlockNumbers } from "../../config/labs/block.js";
import type { Words } from "../../i18n/words.js";
import { dividing, labControls } from "../../telling/controls.js";
import { sayIn } from "./strings.js";

/** The heights of document 004: what layer norm alone opens with. */
const heights = [[140, 150, 160, 170, 180]];

/** Numbers as they are typed: separated by spaces or commas. */
function typedRow(typed: string): number[] | null {
  const pieces = typed.split(/[\s,，;；、]+/).filter(Boolean);
  const row = pieces.map((piece) => Number(piece.replace("\u2212", "-")));
  const { min, max } = blockBounds.row;
  return row.length >= min && row.length <= max && row.every(Number.isFinite) ? row : null;
}

const withoutEdits = (numbers: BlockNumbers): BlockNumbers => ({ ...numbers, edits: [] });

export const settings = labControls({
  id: "block",
  say: sayIn,
  sentence: ({ numbers }, words) => sayIn(words)(`sentence.${numbers.part}`),
  controls: {
    part: {
      essential: true,
      then: (after, before) =>
        after.part === before.part ? before : { ...after, x: after.x ?? heights, edits: [] },
    },
    tokens: { essential: true, range: () => ({ min: 1, max: 64 }), then: withoutEdits },
    dim: { then: withoutEdits },
    heads: { then: dividing },
    hidden: { then: withoutEdits },
    norm: { essential: true },
    dropout: {
      options: ({ numbers }, words) =>
        [...new Set(["0", "0.1", "0.3", "0.5", String(numbers.dropout)])]
          .sort()
          .map((value) => ({ value, label: dropoutText(Number(value), words) })),
      label: ({ numbers }, words) => dropoutText(numbers.dropout, words),
    },
    x: {
      kind: "words",
      essential: true,
      value: ({ numbers }) => (numbers.x?.[0] ?? []).join(" "),
      label({ numbers }, words) {
        const n = numbers.x?.[0]?.length ?? 0;
        return sayIn(words)(n === 1 ? "x.one" : "x.many", { n });
      },
      set(numbers, typed, _reading, words) {
        const row = typedRow(typed);
        if (!row) return { refused: sayIn(words)("refused.x", { max: blockBounds.row.max, given: typed }) };
        if (String(row) === String(numbers.x?.[0])) return numbers;
        return { ...numbers, x: [row], claim: null, edits: [] };
      },
    },
  },
});

function dropoutText(p: number, words: Words): string {
  return p === 0 ? sayIn(words)("dropout.none") : sayIn(words)("dropout.some", { p });
}
