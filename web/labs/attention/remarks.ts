/** Remarks of the attention lab: own Q, K and V, a row that may look at nothing, exponentials that overflow. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { fills, isAdditive, isMasked, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import { emptyRowRemark } from "../../telling/remarks.js";
import { emptyRowsOf } from "./masking.js";
import { isOwn } from "./own.js";
import { namesOf } from "./tensors.js";

/** A row that may look at nothing: what each fill makes of it, and the offer to see the others. */
function emptyRowRemarks(numbers: AttentionNumbers, words: Words): Remark[] {
  const empty = isMasked(numbers) ? emptyRowsOf(numbers) : [];
  if (empty.length === 0) return [];
  const keys = keyCount(numbers);
  const remark = emptyRowRemark(empty, namesOf(numbers, words).rows, keys, words);
  if (isAdditive(numbers)) return [remark];
  const { fill, padding } = maskingOf(numbers);
  const own = fill === "infinity" ? (isStable(numbers) ? null : "nan") : fill;
  const first = own === null ? remark.body : words(`labs.remark.empty.${own}`, { n: keys });
  const others = fills
    .filter((one) => one !== fill)
    .map((value) => ({
      label: words(`labs.remark.empty.to.${value}`),
      change: { control: "fill", value },
    }));
  // A padded key stays hidden whatever is painted.
  const [paint, ...rest] = remark.actions;
  const actions = [...(padding > 0 ? [] : [paint!]), ...rest, ...others];
  return [{ ...remark, body: `${first} ${words("labs.remark.empty.dialects")}`, actions }];
}

/** The exponential of a score is too large for float64. */
function overflow(numbers: AttentionNumbers, snapshots: Snapshots, words: Words): Remark[] {
  const exponentials = isStable(numbers) ? undefined : snapshots.get("exp");
  const at = exponentials?.data.indexOf(Infinity) ?? -1;
  if (at < 0) return [];
  const columns = exponentials!.shape[1]!;
  const index = [Math.floor(at / columns), at % columns];
  return [
    {
      id: "overflow",
      title: words("labs.remark.overflow.title"),
      body: words("labs.remark.overflow.body"),
      actions: [
        { label: words("labs.remark.overflow.subtract"), change: { control: "stable", value: "on" } },
        { label: words("labs.remark.overflow.why"), cell: { node: "weights", index } },
      ],
    },
  ];
}

/** The example of a product offers one that does not fit: (2, 3) @ (2, 2). */
function misfit(words: Words): Remark {
  return {
    id: "misfit",
    title: words("labs.remark.misfit.title"),
    body: words("labs.remark.misfit.body"),
    actions: [{ label: words("labs.remark.misfit.try"), change: { control: "x", value: "1 2 3; 4 5 6" } }],
  };
}

export function remarks(
  { example, numbers }: ConfigOf<"attention">,
  snapshots: Snapshots,
  words: Words,
): Remark[] {
  const own = {
    id: "own",
    title: words("labs.remark.own.title"),
    body: words("labs.remark.own.body"),
    actions: [],
  };
  return [
    ...(isOwn(numbers) ? [own] : []),
    ...(example === "two-by-two" ? [misfit(words)] : []),
    ...emptyRowRemarks(numbers, words),
    ...overflow(numbers, snapshots, words),
  ];
}
