/** Lab 6: the block of an encoder (sections 3.1, 3.3, 5.4), and layer norm alone. */
import type { BlockNumbers } from "../../config/labs/block.js";
import type { Words } from "../../i18n/words.js";
import { formatNote } from "../../marks/numbers.js";
import type { Lab } from "../../telling/lab.js";
import type { FormulaSymbols, Tensor } from "../../telling/telling.js";
import { told } from "../../telling/told.js";
import { fromNeither, normTensors } from "./norm-tensors.js";
import norm from "./norm.tex?mathml";
import { middleNode, stopIds } from "./path.js";
import post from "./post.tex?mathml";
import pre from "./pre.tex?mathml";
import { arrange, blockFlow } from "./stage.js";
import { blockTensors } from "./tensors.js";
import { settings } from "./settings.js";
import { sayIn } from "./strings.js";
import { largestInRow } from "../../telling/largest.js";

function tensors(numbers: BlockNumbers, words: Words): Tensor[] {
  return (numbers.part === "norm" ? normTensors : blockTensors)(numbers, sayIn(words));
}

/** The telling cell of each stop. */
function cellOf(numbers: BlockNumbers, stop: string): { node: string; index: number[] } {
  const row = Math.min(1, numbers.tokens.length - 1);
  const nodes: Record<string, string> = {
    embed: "x",
    attend: "self_attn.weights",
    add1: "residual1",
    norm1: "norm1",
    feed: "linear2",
    add2: "residual2",
    norm2: "norm2",
    measure: "deviations",
    centre: "centred",
    spread: "variance",
    divide: "biased",
  };
  const node = nodes[stop]!;
  if (stop === "attend") return { node, index: [0, row, 0] };
  return { node, index: numbers.part === "norm" ? [0, 0] : [row, 0] };
}

export const lab: Lab<"block"> = told({
  id: "block",
  formulas: { post, pre, norm },
  title: ({ numbers }, words) => sayIn(words)(`title.${numbers.part}`),
  lede({ numbers }, words, narrow) {
    const say = sayIn(words);
    if (numbers.part === "norm") return say(narrow ? "lede.narrow.norm" : "lede.norm");
    if (narrow) return say("lede.narrow");
    return say(numbers.norm === "pre" ? "lede.pre" : "lede.block");
  },
  ...settings,
  tensors: ({ numbers }, words) => tensors(numbers, words),
  stops({ numbers }, words, snapshots) {
    const say = sayIn(words);
    return stopIds(numbers).map((id) => {
      const normed = id === "norm1" || id === "norm2";
      const slots = { dim: numbers.dim, activation: say(`activation.${numbers.activation}`) };
      return {
        id,
        title: say(`stop.${id}` as "stop.embed"),
        sentence: say((normed ? `tell.${id}.${numbers.norm}` : `tell.${id}`) as "tell.embed", slots),
        cell: largestInRow(snapshots, cellOf(numbers, id)),
      };
    });
  },
  arrange,
  flow: (config, snapshots, room, of) => blockFlow(config, snapshots, room, of, sayIn(room.words)),
  symbols({ numbers }): FormulaSymbols {
    if (numbers.part === "norm")
      return {
        id: "norm",
        symbols: {
          y: ["biased", "unbiased"],
          x: "x",
          mu: "mean",
          sigma: "deviation",
          var: "variance",
          n: "squares",
        },
      };
    return {
      id: numbers.norm,
      symbols: {
        X1: middleNode(numbers),
        LN1: "norm1",
        X0: numbers.dropout > 0 ? "dropped" : "x",
        MHA: ["self_attn.output", "self_attn.weights"],
        X2: numbers.norm === "post" ? "norm2" : "residual2",
        LN2: "norm2",
        FFN: ["linear2", "activation"],
      },
    };
  },
  untrained: ({ numbers }) => numbers.part !== "norm",
  opening: ({ numbers }) => cellOf(numbers, numbers.part === "norm" ? "divide" : "norm1"),
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
