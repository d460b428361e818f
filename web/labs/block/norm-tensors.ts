/** The tensors of layer norm alone: a row, its mean and deviations, both rules and what a text says. */
import type { BlockNumbers } from "../../config/labs/block.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import type { Say } from "./strings.js";

export const rowWidth = ({ x }: BlockNumbers): number => x?.[0]?.length ?? 0;

/** Names of the rows that are compared. */
export function ruleNames({ claim }: BlockNumbers, say: Say): string[] {
  return [say("rule.biased"), say("rule.unbiased"), ...(claim ? [say("rule.claim")] : [])];
}

/** Whether the text's row has deviation 1 by neither rule: neither made it. But for the epsilon under the root and a text's rounding. */
export function fromNeither({ claim }: BlockNumbers, snapshots: Snapshots): boolean {
  const measured = snapshots.get("row_deviations");
  return claim !== null && measured !== undefined && ![4, 5].some((at) => isOne(measured.data[at] ?? NaN));
}
const isOne = (deviation: number): boolean => deviation > 0.99 && deviation < 1.01;

export function normTensors(numbers: BlockNumbers, say: Say): Tensor[] {
  const width = rowWidth(numbers);
  const rules = ruleNames(numbers, say);
  const divisors = [say("divisor.n"), say("divisor.less")];
  const row = { rows: 1, columns: width, letters: "1×n", axes: [null, null] };
  const activation = { role: "activation", fill: "activation" } as const;
  return [
    {
      node: "x",
      ...row,
      ...activation,
      family: "row",
      symbol: { text: "x" },
      name: say("name.row"),
      single: say("single.row"),
      step: 0,
      editable: true,
    },
    {
      node: "mean",
      rows: 1,
      columns: 1,
      letters: "",
      axes: [null, null],
      ...activation,
      family: "row",
      symbol: { text: "μ" },
      name: say("name.mean"),
      single: say("name.mean"),
      step: 0,
    },
    {
      node: "centred",
      ...row,
      ...activation,
      family: "row",
      symbol: { text: "d" },
      name: say("name.centred"),
      single: say("single.centred"),
      step: 0,
    },
    {
      node: "squares",
      ...row,
      ...activation,
      family: "squares",
      symbol: { text: "d²" },
      name: say("name.squares"),
      single: say("single.squares"),
      step: 1,
    },
    {
      node: "total",
      rows: 1,
      columns: 1,
      letters: "",
      axes: [null, null],
      ...activation,
      family: "squares",
      symbol: { text: "Σ" },
      name: say("name.total"),
      single: say("name.total"),
      step: 1,
    },
    {
      node: "variance",
      rows: 1,
      columns: 2,
      letters: "",
      axes: [null, divisors],
      ...activation,
      family: "squares",
      symbol: { text: "σ²" },
      name: say("name.variance"),
      single: say("name.variance"),
      step: 1,
    },
    {
      node: "deviation",
      rows: 1,
      columns: 2,
      letters: "",
      axes: [null, divisors],
      ...activation,
      family: "row",
      symbol: { text: "σ" },
      name: say("name.deviation"),
      single: say("name.deviation"),
      step: 1,
    },
    ...(["biased", "unbiased"] as const).map((node, rule): Tensor => ({
      node,
      ...row,
      role: "output",
      fill: "activation",
      family: "normed",
      symbol: { text: "y" },
      name: rules[rule]!,
      single: say("single.normed"),
      step: 2,
    })),
    ...(numbers.claim
      ? [
          {
            node: "claim",
            ...row,
            ...activation,
            family: "normed",
            symbol: { text: "y", sup: "?" },
            name: say("rule.claim"),
            single: say("single.claim"),
            step: 2,
            editable: true,
          } satisfies Tensor,
        ]
      : []),
    {
      node: "row_deviations",
      rows: rules.length,
      columns: 2,
      letters: "",
      axes: [rules, divisors],
      ...activation,
      family: "normed",
      symbol: { text: "σ" },
      name: say("name.deviation"),
      single: say("name.deviation"),
      step: 2,
    },
  ];
}
