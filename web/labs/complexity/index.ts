/** Lab 12: why self-attention (section 4, table 1). The work of four layers, counted in the core's graphs and timed in this browser. */
import type { ConfigOf } from "../../config/config.js";
import {
  headCounts,
  kernels,
  lengths,
  measurings,
  neighbourhoods,
  widths,
  type ComplexityNumbers,
} from "../../config/labs/complexity.js";
import type { Words } from "../../i18n/words.js";
import type { Control, FormulaPart } from "../../marks/wording.js";
import type { Lab } from "../lab.js";
import { changing, wholeNumber, type Refused } from "../settings.js";
import { told, type Stop, type Telling } from "../telling.js";
import { countedLengths } from "./layers.js";
import { flow, wideScene } from "./scene.js";
import { layerNames, ownWords, stopIds, tensors } from "./tensors.js";
import why from "./why.tex?mathml";

type Config = ConfigOf<"complexity">;

/** The settings that are one of a few numbers. */
const few = { dim: widths, heads: headCounts, kernel: kernels, near: neighbourhoods } as const;
type Few = keyof typeof few;
const isFew = (control: string): control is Few => Object.hasOwn(few, control);

function set(
  numbers: ComplexityNumbers,
  control: string,
  value: string,
  words: Words,
): ComplexityNumbers | Refused {
  const say = ownWords(words);
  const refused = (field: string, options: readonly string[]): Refused => ({
    refused: words("labs.refused.choice", { field, options: options.join(", "), given: value }),
  });
  if (isFew(control)) {
    const found = few[control].find((option) => String(option) === value);
    return found === undefined
      ? refused(say(`field.${control}`), few[control].map(String))
      : { ...numbers, [control]: found };
  }
  switch (control) {
    case "length": {
      const length = wholeNumber(value, "labs.field.length", lengths, words);
      return typeof length === "number" ? { ...numbers, length } : length;
    }
    case "projected":
      return value === "yes" || value === "no"
        ? { ...numbers, projected: value === "yes" }
        : refused(say("field.projected"), ["yes", "no"]);
    case "measured": {
      const { min, max } = measurings;
      const often = Array.from({ length: max - min + 1 }, (_, at) => String(min + at));
      return often.includes(value)
        ? { ...numbers, measured: Number(value) }
        : refused(say("field.measured"), often);
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

/** Not timed, timed, and once more. */
function measuredControl({ measured }: ComplexityNumbers, words: Words): Control {
  const say = ownWords(words);
  const next = String(measured >= measurings.max ? 1 : measured + 1);
  const timed = { value: String(measured), label: say("measured.yes") };
  return {
    id: "measured",
    kind: "choice",
    essential: true,
    title: say("field.measured"),
    value: String(measured),
    label: say(measured > 0 ? "measured.yes" : "measured.no"),
    options: [
      { value: "0", label: say("measured.no") },
      ...(measured > 0 ? [timed] : []),
      { value: next, label: say(measured > 0 ? "measured.again" : "measured.go") },
    ],
    help: say("help.measured"),
  };
}

function sentence({ numbers }: Config, words: Words): { text: string; controls: Control[] } {
  const say = ownWords(words);
  const heads = (n: number) => say(n === 1 ? "heads.one" : "heads.many", { n });
  const labels: Record<Few, (n: number) => string> = {
    dim: String,
    heads,
    kernel: String,
    near: (n) => say("near.label", { n }),
  };
  const chosen = (id: Few, help?: string): Control => ({
    id,
    kind: "choice",
    title: say(`field.${id}`),
    value: String(numbers[id]),
    label: labels[id](numbers[id]),
    options: few[id].map((n) => ({ value: String(n), label: labels[id](n) })),
    ...(id === "dim" ? { essential: true } : {}),
    ...(help ? { help } : {}),
  });
  const projected = (yes: boolean) => say(yes ? "projected.yes" : "projected.no");
  return {
    text: say("sentence"),
    controls: [
      {
        id: "length",
        kind: "number",
        essential: true,
        title: say("field.length"),
        value: String(numbers.length),
        label: say("length.label", { n: numbers.length }),
        min: lengths.min,
        max: lengths.max,
      },
      chosen("dim"),
      chosen("heads"),
      {
        id: "projected",
        kind: "choice",
        title: say("field.projected"),
        value: numbers.projected ? "yes" : "no",
        label: projected(numbers.projected),
        options: [false, true].map((yes) => ({ value: yes ? "yes" : "no", label: projected(yes) })),
        help: say("help.projected"),
      },
      chosen("kernel"),
      chosen("near", say("help.near")),
      measuredControl(numbers, words),
    ],
  };
}

/** The counted operations of self-attention, over the whole text. */
const opening = ({ numbers }: Config) => ({
  node: "ratio",
  index: [0, 0],
  ...(numbers.measured > 0 ? { node: "rate" } : {}),
});

function stops(config: Config, words: Words): Stop[] {
  const say = ownWords(words);
  const last = countedLengths(config.numbers.length).length - 1;
  const cells: Record<(typeof stopIds)[number], Stop["cell"]> = {
    work: { node: "work_millions", index: [0, 0] },
    count: { node: "millions", index: [0, last] },
    order: { node: "path", index: [1, 0] },
    memory: { node: "weights_thousands", index: [0, 0] },
    time: { node: "times", index: [1, last] },
  };
  return stopIds
    .filter((id) => id !== "time" || config.numbers.measured > 0)
    .map((id) => ({ id, title: say(`step.${id}`), sentence: say(`tell.${id}`), cell: cells[id] }));
}

function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const say = ownWords(words);
  const [attention = "", recurrent = ""] = layerNames(config, words);
  return {
    id: "why",
    parts: [
      {
        symbol: "A",
        nodes: ["work_millions"],
        label: say("part", { symbol: "n² d", layer: attention }),
        role: "attention",
      },
      {
        symbol: "R",
        nodes: ["work_millions"],
        label: say("part", { symbol: "n d²", layer: recurrent }),
        role: "key",
      },
    ],
  };
}

const telling: Telling<"complexity"> = {
  id: "complexity",
  formulas: { why },
  title: (_config, words) => ownWords(words)("title"),
  lede: (_config, words, narrow) => ownWords(words)(narrow ? "lede.narrow" : "lede"),
  sentence,
  change: changing("complexity", set),
  tensors,
  stops,
  flow,
  formula,
  opening,
};

const lines = told(telling);

export const complexity: Lab<"complexity"> = {
  ...lines,
  gradients: false,
  scene(config, snapshots, room) {
    if (room.layout !== "wide") return lines.scene(config, snapshots, room);
    const all = new Map(tensors(config, room.words).map((tensor) => [tensor.node, tensor]));
    return wideScene(config, snapshots, room, (node) => all.get(node)!);
  },
};
