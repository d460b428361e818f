/** Lab 6: the block of an encoder or of a decoder without one (sections 3.1, 3.3, 5.4), layer norm alone, and the curves of the activation functions. */
import { inLayer, isPlain, stackOf, type BlockNumbers } from "../../config/labs/block.js";
import type { FormulaElement } from "../../marks/formula.js";
import { formatNote } from "../../marks/numbers.js";
import type { Lab } from "../../telling/lab.js";
import type { FormulaSymbols } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { arrange, flow, opening, picture, stops, strip } from "./flow.js";
import curves from "./curves.tex?mathml";
import ffnGelu from "./ffn-gelu.tex?mathml";
import ffnRelu from "./ffn-relu.tex?mathml";
import noNormReplaced from "./no-norm-replaced.tex?mathml";
import noNorm from "./no-norm.tex?mathml";
import norm from "./norm.tex?mathml";
import { layerNodes } from "./path.js";
import postReplaced from "./post-replaced.tex?mathml";
import post from "./post.tex?mathml";
import preReplaced from "./pre-replaced.tex?mathml";
import pre from "./pre.tex?mathml";
import { settings } from "./settings.js";
import { stringsIn } from "./strings.js";
import { axesOf, curveTensors, followsNoRule, normTensors, stackTensors } from "./tensors.js";

/** One formula under another. */
const under = (...formulas: FormulaElement[]): FormulaElement => ({
  tag: "math",
  attributes: formulas[0]!.attributes,
  children: [
    {
      tag: "mtable",
      attributes: { displaystyle: "true" },
      children: formulas.map(({ children }) => ({
        tag: "mtr",
        attributes: {},
        children: [{ tag: "mtd", attributes: {}, children }],
      })),
    },
  ],
});

/** The formulas of the two sub-layers by the place of the norms or "none"; "replaced" is without residual connections. */
const layerFormulas = {
  post,
  pre,
  none: noNorm,
  "post-replaced": postReplaced,
  "pre-replaced": preReplaced,
  "none-replaced": noNormReplaced,
};
const networks = { relu: ffnRelu, gelu: ffnGelu };

/** The formulas of a layer; with that of its network, except for the one layer of the paper. */
const formulas: Record<string, FormulaElement> = {
  post,
  pre,
  norm,
  curves,
  ...Object.fromEntries(
    Object.entries(layerFormulas).flatMap(([layer, formula]) =>
      Object.entries(networks).map(([network, ffn]) => [`${layer}-${network}`, under(formula, ffn)]),
    ),
  ),
};

function formulaOf(numbers: BlockNumbers): string {
  if (numbers.part !== "block") return numbers.part;
  if (isPlain(numbers)) return numbers.norm;
  const { residual, layerNorm } = stackOf(numbers);
  return `${layerNorm ? numbers.norm : "none"}${residual ? "" : "-replaced"}-${numbers.activation}`;
}

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
  if (numbers.part === "curves") return { x: "grid", relu: "relu", gelu: "gelu", z: "scores", p: "shares" };
  const { layer } = stackOf(numbers);
  const node = (name: string): string => inLayer(layer, name);
  const { input, middle, output } = layerNodes(numbers);
  const layerSymbols = {
    X1: middle,
    LN1: node("norm1"),
    X0: input,
    MHA: [node("self_attn.output"), node("self_attn.weights")],
    X2: output,
    LN2: node("norm2"),
    FFN: [node("linear2"), node("activation")],
  };
  if (isPlain(numbers)) return layerSymbols;
  return {
    ...layerSymbols,
    W1: node("linear1.weight"),
    b1: node("linear1.bias"),
    W2: node("linear2.weight"),
    b2: node("linear2.bias"),
    act: node("activation"),
  };
}

export const lab: Lab<"block"> = declareLab({
  id: "block",
  formulas,
  strings: stringsIn,
  title({ numbers }, words) {
    const { layers: n } = stackOf(numbers);
    const strings = stringsIn(words);
    return numbers.part === "block" && n > 1
      ? strings("title.stack", { n })
      : strings(`title.${numbers.part}`);
  },
  lede({ numbers }, words, isNarrow) {
    const strings = stringsIn(words);
    if (numbers.part === "norm") return strings(isNarrow ? "lede.narrow.norm" : "lede.norm");
    if (numbers.part === "curves") return strings(isNarrow ? "lede.narrow.curves" : "lede.curves");
    const { residual, layerNorm, layers } = stackOf(numbers);
    if (isNarrow) return strings(layers > 1 ? "lede.narrow.stack" : "lede.narrow");
    if (!residual) return strings(layerNorm ? "lede.noResidual" : "lede.neither");
    if (!layerNorm) return strings("lede.noNorm");
    return strings(numbers.norm === "pre" ? "lede.pre" : "lede.block");
  },
  ...settings,
  axes: ({ numbers }, words) => axesOf(numbers, stringsIn(words)),
  tensors({ numbers }, words) {
    if (numbers.part === "curves") return curveTensors();
    return (numbers.part === "norm" ? normTensors : stackTensors)(numbers, stringsIn(words));
  },
  stops,
  arrange,
  flow,
  picture,
  strip,
  symbols: ({ numbers }) => ({
    id: formulaOf(numbers),
    symbols: symbols(numbers),
  }),
  untrained: ({ numbers }) => numbers.part === "block" && !numbers.parameters,
  opening,
  remarks({ numbers }, snapshots, words) {
    const measured = snapshots.get("row_deviations");
    if (!measured || !followsNoRule(numbers, snapshots)) return [];
    const [biased, unbiased] = [measured.data[4] ?? Number.NaN, measured.data[5] ?? Number.NaN];
    const strings = stringsIn(words);
    return [
      {
        id: "claim",
        title: strings("remark.claim.title"),
        body: strings("remark.claim.body", { biased: formatNote(biased), unbiased: formatNote(unbiased) }),
        actions: [{ label: strings("remark.claim.go"), cell: { node: "row_deviations", index: [2, 0] } }],
      },
    ];
  },
});
