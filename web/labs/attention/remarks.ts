/** The remarks of the attention lab: own Q, K and V, a row without an allowed key, exponentials that overflow, a product that does not fit. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { fills, isAdditive, isMasked, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import { emptyRowRemark } from "../../telling/remarks.js";
import { emptyRowsOf } from "./mask-conversion.js";
import { isOwn } from "./own.js";
import { rowAndKeyNames } from "./tensors.js";

/** The remark on rows without an allowed key: their weights with this fill, and actions that show the other fills. */
function emptyRowRemarks(numbers: AttentionNumbers, words: Words): Remark[] {
  const empty = isMasked(numbers) ? emptyRowsOf(numbers) : [];
  if (empty.length === 0) return [];
  const keys = keyCount(numbers);
  const remark = emptyRowRemark(empty, rowAndKeyNames(numbers, words).rows, keys, words);
  if (isAdditive(numbers)) return [remark];
  const { fill, padding } = maskingOf(numbers);
  const key = fill === "infinity" ? (isStable(numbers) ? null : "nan") : fill;
  const first = key === null ? remark.body : words(`labs.remark.empty.${key}`, { n: keys });
  const others = fills
    .filter((one) => one !== fill)
    .map((value) => ({
      label: words(`labs.remark.empty.to.${value}`),
      change: { control: "fill", value },
    }));
  // A key that is padding stays hidden even if its cells are painted.
  const [paint, ...rest] = remark.actions;
  const actions = [...(padding > 0 ? [] : [paint!]), ...rest, ...others];
  return [{ ...remark, body: `${first} ${words("labs.remark.empty.dialects")}`, actions }];
}

/** The remark on an exponential that is too large for float64. */
function overflowRemarks(numbers: AttentionNumbers, snapshots: Snapshots, words: Words): Remark[] {
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

/** The remark on a product whose shapes fit. Its button sets a product that is refused: (2, 3) @ (2, 2). */
function misfitRemark(words: Words): Remark {
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
    ...(example === "two-by-two" ? [misfitRemark(words)] : []),
    ...emptyRowRemarks(numbers, words),
    ...overflowRemarks(numbers, snapshots, words),
  ];
}
