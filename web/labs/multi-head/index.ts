/** Lab 4: many heads side by side (section 3.2.2). */
import { hasProjection } from "../../config/labs/multi-head.js";
import { cellAt, largestInRow } from "../../telling/largest.js";
import { emptyRowRemark } from "../../telling/remarks.js";
import { stringsFrom, type FormulaSymbols } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { arrange, flow, opening, sharpRows, stops } from "./flow.js";
import bare from "./bare.tex?mathml";
import multiHead from "./multi-head.tex?mathml";
import { picture } from "./picture.js";
import { lede, settings, title } from "./settings.js";
import { axes, emptyRowsIn, itemOf, keyNames, rowNames, tensors } from "./tensors.js";

export const lab = declareLab<"multi-head">({
  id: "multi-head",
  formulas: { "multi-head": multiHead, "multi-head-bare": bare },
  strings: stringsFrom("labs.multi_head.", "labs."),
  title,
  lede,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
  // Without W_O the joined heads are the output.
  symbols({ numbers }): FormulaSymbols {
    const head = ["heads", "weights"];
    return hasProjection(numbers)
      ? { id: "multi-head", symbols: { O: "output", concat: "concat", head, WO: "W_O" } }
      : { id: "multi-head-bare", symbols: { O: "output", concat: "output", head } };
  },
  opening,
  // Weights that are typed in may come from anywhere.
  untrained: ({ numbers }) => numbers.wq === undefined,
  remarks(config, snapshots, words) {
    const { numbers } = config;
    const names = rowNames(numbers, words);
    const { length } = keyNames(numbers, words);
    const empty = emptyRowsIn(config);
    const item = itemOf(config);
    const dropped = snapshots.get("dropped");
    const sharp = sharpRows(numbers, snapshots);
    const scaled = { control: "draw", value: "scaled" };
    return [
      ...(empty.length
        ? [emptyRowRemark(empty, names, length, words, (row, key) => [item, 0, row, key])]
        : []),
      ...(dropped
        ? [
            {
              id: "dropped-rows",
              title: words("labs.remark.dropped.title"),
              body: words("labs.remark.dropped.body"),
              actions: [
                {
                  label: words("labs.remark.dropped.why"),
                  cell: largestInRow(snapshots, cellAt("dropped", item, 0, 0, 0)),
                },
              ],
            },
          ]
        : []),
      ...(sharp
        ? [
            {
              id: "one-word-rows",
              title: words("labs.remark.sharp.title"),
              body: words("labs.remark.sharp.body", { ...sharp, dim: numbers.dim }),
              actions: [{ label: words("labs.remark.sharp.scaled"), change: scaled }],
            },
          ]
        : []),
    ];
  },
});
