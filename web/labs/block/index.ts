/** Lab 6: the block of an encoder (sections 3.1, 3.3, 5.4), and layer norm alone. */
import type { BlockNumbers } from "../../config/labs/block.js";
import { formatNote } from "../../marks/numbers.js";
import type { Lab } from "../../telling/lab.js";
import type { FormulaSymbols } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { arrange, flow, opening, stops } from "./flow.js";
import norm from "./norm.tex?mathml";
import { inputNode, middleNode } from "./path.js";
import post from "./post.tex?mathml";
import pre from "./pre.tex?mathml";
import { settings } from "./settings.js";
import { sayIn } from "./strings.js";
import { axesOf, blockTensors, fromNeither, normTensors } from "./tensors.js";

function symbols(numbers: BlockNumbers): FormulaSymbols["symbols"] {
  if (numbers.part === "norm")
    return {
      y: ["biased", "unbiased"],
      x: "x",
      mu: "mean",
      sigma: "deviation",
      var: "variance",
      n: "squares",
    };
  return {
    X1: middleNode(numbers),
    LN1: "norm1",
    X0: inputNode(numbers),
    MHA: ["self_attn.output", "self_attn.weights"],
    X2: numbers.norm === "post" ? "norm2" : "residual2",
    LN2: "norm2",
    FFN: ["linear2", "activation"],
  };
}

export const lab: Lab<"block"> = declareLab({
  id: "block",
  formulas: { post, pre, norm },
  say: sayIn,
  title: ({ numbers }, words) => sayIn(words)(`title.${numbers.part}`),
  lede({ numbers }, words, narrow) {
    const say = sayIn(words);
    if (numbers.part === "norm") return say(narrow ? "lede.narrow.norm" : "lede.norm");
    if (narrow) return say("lede.narrow");
    return say(numbers.norm === "pre" ? "lede.pre" : "lede.block");
  },
  ...settings,
  axes: ({ numbers }, words) => axesOf(numbers, sayIn(words)),
  tensors: ({ numbers }, words) =>
    (numbers.part === "norm" ? normTensors : blockTensors)(numbers, sayIn(words)),
  stops,
  arrange,
  flow,
  symbols: ({ numbers }) => ({
    id: numbers.part === "norm" ? "norm" : numbers.norm,
    symbols: symbols(numbers),
  }),
  untrained: ({ numbers }) => numbers.part !== "norm",
  opening,
  remarks({ numbers }, snapshots, words) {
    const measured = snapshots.get("row_deviations");
    if (!measured || !fromNeither(numbers, snapshots)) return [];
    const [biased, unbiased] = [measured.data[4] ?? Number.NaN, measured.data[5] ?? Number.NaN];
    const say = sayIn(words);
    return [
      {
        id: "claim",
        title: say("remark.claim.title"),
        body: say("remark.claim.body", { biased: formatNote(biased), unbiased: formatNote(unbiased) }),
        actions: [{ label: say("remark.claim.go"), cell: { node: "row_deviations", index: [2, 0] } }],
      },
    ];
  },
});
