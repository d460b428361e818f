/** Lab 4: many heads side by side (section 3.2.2). */
import { emptyRowRemark } from "../../telling/remarks.js";
import { sayFrom } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { emptyRows } from "../attention/mask.js";
import { arrange, flow, opening, sharpRows, stops } from "./flow.js";
import multiHead from "./multi-head.tex?mathml";
import { picture } from "./picture.js";
import { lede, settings, title } from "./settings.js";
import { axes, rowNames, tensors } from "./tensors.js";

export const lab = declareLab<"multi-head">({
  id: "multi-head",
  formulas: { "multi-head": multiHead },
  say: sayFrom("labs.multi_head.", "labs."),
  title,
  lede,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
  symbols: () => ({
    id: "multi-head",
    symbols: { O: "output", concat: "concat", head: ["heads", "weights"], WO: "W_O" },
  }),
  opening,
  untrained: () => true,
  remarks({ numbers }, snapshots, words) {
    const names = rowNames(numbers, words);
    const { length } = names;
    const empty = emptyRows(numbers, length, length);
    const sharp = sharpRows(numbers, snapshots);
    const scaled = { control: "draw", value: "scaled" };
    return [
      ...(empty.length ? [emptyRowRemark(empty, names, length, words, (row, key) => [0, 0, row, key])] : []),
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
