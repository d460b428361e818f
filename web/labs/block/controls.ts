/** The controls of the block lab's sentence. */
import { bounds } from "../../config/bounds.js";
import type { BlockNumbers } from "../../config/labs/block.js";
import { blockBounds, blockChoices } from "../../config/labs/block.js";
import type { Control } from "../../marks/wording.js";
import { rowWidth } from "./norm-tensors.js";
import type { Say } from "./tensors.js";

export function controls(numbers: BlockNumbers, say: Say): Control[] {
  const counted = (key: "tokens" | "dim" | "heads" | "x", n: number): string =>
    say(n === 1 ? `${key}.one` : `${key}.many`, { n });
  const named = (
    id:
      | "part"
      | "tokens"
      | "dim"
      | "heads"
      | "hidden"
      | "activation"
      | "norm"
      | "unbiased"
      | "dropout"
      | "seed"
      | "x",
  ) => ({
    id,
    title: say(`control.${id}`),
    help: say(`help.${id}`),
  });
  const p = String(numbers.dropout);
  return [
    {
      ...named("part"),
      kind: "choice",
      essential: true,
      value: numbers.part,
      label: say(`part.${numbers.part}`),
      options: blockChoices.part.map((value) => ({ value, label: say(`part.${value}`) })),
    },
    {
      ...named("tokens"),
      kind: "words",
      essential: true,
      value: numbers.tokens.join(" "),
      label: counted("tokens", numbers.tokens.length),
    },
    {
      ...named("dim"),
      kind: "number",
      value: String(numbers.dim),
      ...bounds.dim,
      label: counted("dim", numbers.dim),
    },
    {
      ...named("heads"),
      kind: "number",
      value: String(numbers.heads),
      ...bounds.heads,
      label: counted("heads", numbers.heads),
    },
    {
      ...named("hidden"),
      kind: "number",
      value: String(numbers.hidden),
      ...blockBounds.hidden,
      label: String(numbers.hidden),
    },
    {
      ...named("activation"),
      kind: "choice",
      value: numbers.activation,
      label: say(`activation.${numbers.activation}`),
      options: blockChoices.activation.map((value) => ({ value, label: say(`activation.${value}`) })),
    },
    {
      ...named("norm"),
      kind: "choice",
      essential: true,
      value: numbers.norm,
      label: say(`norm.${numbers.norm}`),
      options: blockChoices.norm.map((value) => ({ value, label: say(`norm.${value}`) })),
    },
    {
      ...named("unbiased"),
      kind: "choice",
      value: numbers.unbiased ? "on" : "off",
      label: say(numbers.unbiased ? "unbiased.on" : "unbiased.off"),
      options: (["off", "on"] as const).map((value) => ({ value, label: say(`unbiased.${value}`) })),
    },
    {
      ...named("dropout"),
      kind: "choice",
      value: p,
      label: numbers.dropout ? say("dropout.some", { p }) : say("dropout.none"),
      options: [...new Set(["0", "0.1", "0.3", "0.5", p])].sort().map((value) => ({
        value,
        label: value === "0" ? say("dropout.none") : say("dropout.some", { p: value }),
      })),
    },
    {
      ...named("seed"),
      kind: "number",
      value: String(numbers.seed),
      ...bounds.seed,
      label: say("seed", { n: numbers.seed }),
    },
    {
      ...named("x"),
      kind: "words",
      essential: true,
      value: (numbers.x?.[0] ?? []).join(" "),
      label: counted("x", rowWidth(numbers)),
    },
  ];
}
