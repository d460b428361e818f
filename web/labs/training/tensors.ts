/** The tensors of the training lab that are drawn, and the names of their rows and columns. */
import type { ConfigOf } from "../../config/config.js";
import { isProblem, SELECTED } from "../../config/selector.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { attentionNodes } from "./attention-nodes.js";
import { frameNode, framesIn } from "./film.js";
import { focusNode } from "./focus.js";
import { selectionOf } from "./selection.js";
import { stringsIn, type Say } from "./strings.js";
import { imagePlaceIn, placesOf, textsOf, tokensOf, vocabularyOf } from "./tokens.js";
import { DIFFERENCE } from "./writing.js";

type Config = ConfigOf<"training">;

/** The attention that is shown, layer by layer. */
export const shownAttention = (snapshots: Snapshots): { name: string; shape: readonly number[] }[] =>
  attentionNodes(snapshots.values());

/** The name of a part of the model: "2.attention" is "1 · attention". What models that see have outside their layers is one part. */
export function groupName(id: string, say: Say, snapshots: Snapshots): string {
  if (id.startsWith("decoder."))
    return say("group.decoder", { part: groupName(id.slice(8), say, snapshots) });
  if (id === "output" && hasImages(snapshots)) return say("group.others");
  const [layer = "", part] = id.split(".");
  if (part === undefined) return say(layer === "embedding" ? "group.embedding" : "group.output");
  return say(`group.${part}` as never, { n: Number(layer) - 1 });
}

/** Whether the samples are images. */
export const hasImages = (snapshots: Snapshots): boolean => snapshots.get("source")?.shape.length === 4;

/** The samples that have an answer. */
export const answered = (snapshots: Snapshots): number[] =>
  [...snapshots.keys()].flatMap((name) => {
    const [, at] = /^asked_(\d+)\.certainty$/.exec(name) ?? [];
    return at === undefined ? [] : [Number(at)];
  });

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

export function axes(_config: Config, words: Words, snapshots: Snapshots): Axes {
  const say = stringsIn(words);
  const [attention] = shownAttention(snapshots);
  const [, heads = 0, rows = 0, columns = 0] = attention?.shape ?? [];
  const places = placesOf(snapshots, [rows, columns], imagePlaceIn(say));
  const samples = Object.fromEntries(
    answered(snapshots).map((at) => [
      `answer_${at}`,
      ["L", tokensOf(snapshots, `asked_${at}.answer`)] as const,
    ]),
  );
  return {
    sample: ["B", numbered(attention?.shape[0] ?? 0)],
    head: ["H", numbered(heads).map((n) => say("head", { n }))],
    query: ["L", places.rows],
    key: ["S", places.columns],
    step: ["", null],
    evaluation: ["", null],
    group: ["", textsOf(snapshots, "groups").map((id) => groupName(id, say, snapshots))],
    token: ["V", vocabularyOf(snapshots)],
    number: ["", null],
    ...samples,
  } as Axes;
}

/** The names of the steps inside a layer, which are drawn nowhere and stand in the note. */
function partTensors(snapshots: Snapshots, say: Say): Tensor[] {
  return [...snapshots.values()].flatMap(({ name, shape, op }): Tensor[] => {
    const part = name.slice(name.lastIndexOf(".") + 1);
    if (!say.has(`name.part.${part}`)) return [];
    const [, layer] = /(?:layers|h)\.(\d+)\./.exec(name) ?? [];
    const key = op !== "gelu" ? part : layer === undefined ? "gelu" : "activation.gelu";
    const text = say(`name.part.${key}` as never);
    return [
      {
        node: name,
        stop: null,
        symbol: part,
        axes: shape.map(() => "number").join(" "),
        name: layer === undefined ? text : say("part.of", { part: text, n: layer }),
      },
    ];
  });
}

/** What the selector selects, and its histogram. */
function selectedTensors({ numbers }: Config, say: Say, snapshots: Snapshots): Tensor[] {
  const node = snapshots.get(SELECTED);
  const selection = selectionOf(numbers, snapshots.values());
  if (!node || !selection || isProblem(selection)) return [];
  const { selector, ranges } = selection;
  const isOwn = !selector.gradient && !selector.move;
  const isProbability = isOwn && snapshots.get(selector.name)?.op === "softmax";
  const isParameter = isOwn && snapshots.get(selector.name)?.op === "leaf";
  const look = isProbability
    ? ({ role: "attention", fill: "probability", family: "attention" } as const)
    : ({ role: isParameter ? "weight" : "activation", fill: isParameter ? "parameter" : "activation", family: SELECTED } as const); // prettier-ignore
  const first = node.shape.slice(0, -2).map(() => 0);
  const at = node.shape.length < 2 ? node.shape.map(() => null) : [...first, null, null];
  const plain = { ...look, letters: "", axes: "number" };
  return [
    {
      ...plain,
      node: SELECTED,
      stop: "train",
      symbol: selector.gradient ? "∂L" : selector.move ? "Δ" : "x",
      axes: node.shape.map(() => "number").join(" "),
      at,
      key: selector.gradient ? "selected.gradient" : selector.move ? "selected.move" : "selected",
      meaning: (index) => {
        const places = index.map((place, axis) => place + (ranges[axis]?.min ?? 0)).join(", ");
        const name = selector.name.split(".").slice(-2).join(".");
        return `${selector.gradient ? "∂L/∂" : selector.move ? "Δ " : ""}${name}${places ? `[${places}]` : ""}`;
      },
      origin: say(isParameter ? "origin.learned" : "origin.run"),
    },
    { ...plain, node: `${SELECTED}.counts`, stop: "train", symbol: "n", key: "counts" },
    { ...plain, node: `${SELECTED}.centres`, stop: "train", symbol: "c", key: "centres" },
    { ...plain, node: `${SELECTED}.edges`, stop: null, symbol: "e", key: "edges" },
  ];
}

export function tensors(config: Config, words: Words, snapshots: Snapshots): Tensor[] {
  const { numbers } = config;
  return [
    ...ownTensors(numbers, words, snapshots),
    ...selectedTensors(config, stringsIn(words), snapshots),
  ].filter(({ node }) => snapshots.has(node));
}

function ownTensors(numbers: Config["numbers"], words: Words, snapshots: Snapshots): Tensor[] {
  const say = stringsIn(words);
  const origin = say("origin.run");
  const attention = shownAttention(snapshots).map(({ name }, layer): Tensor => ({
    node: name,
    key: "weights",
    symbol: `A_${layer}`,
    role: "attention",
    family: "attention",
    axes: "sample head query key",
  }));
  const focus = attention.map((_, layer): Tensor => ({
    node: focusNode(layer),
    key: "focus",
    symbol: "m",
    axes: "head",
    plain: "small",
  }));
  const film = framesIn(snapshots).map((step): Tensor => ({
    node: frameNode(step),
    key: "film",
    symbol: "A",
    role: "attention",
    family: "attention",
    axes: "query key",
    slots: { n: step },
    origin,
  }));
  const answers = answered(snapshots).flatMap((at): Tensor[] => [
    {
      node: `asked_${at}.certainty`,
      key: "certainty",
      symbol: "p",
      fill: "probability",
      family: "certainty",
      axes: `answer_${at}`,
      meaning: ([place = 0]) =>
        say("meaning.certainty", { answer: tokensOf(snapshots, `asked_${at}.answer`)[place] ?? "" }),
    },
    ...(["probabilities", "drawn"] as const).map((key): Tensor => ({
      node: `asked_${at}.${key}`,
      key,
      symbol: key === "drawn" ? "P_T" : "P",
      fill: "probability",
      family: "certainty",
      axes: `answer_${at} token`,
    })),
  ]);
  const cached: Tensor = { node: DIFFERENCE, key: "difference", symbol: "Δ", axes: "answer_0 token" };
  const records = [numbers, ...numbers.beside].flatMap((_, run): Tensor[] =>
    (["losses", "held_out", "accuracy"] as const).map((key) => ({
      node: `run_${run}.${key}`,
      key,
      symbol: "L",
      axes: key === "losses" ? "step" : "evaluation",
      // The first loss is that of step 1.
      ...(key === "losses" && { meaning: ([at = 0]) => say("meaning.losses", { step: at + 1 }) }),
      origin,
    })),
  );
  const nameOfGroup = (at: number): string =>
    groupName(textsOf(snapshots, "groups")[at] ?? "", say, snapshots);
  const drawn: Tensor[] = [
    ...attention,
    ...focus,
    ...film,
    ...answers,
    cached,
    ...records,
    {
      node: "gradient_norms",
      symbol: "|g|",
      axes: "step group",
      origin,
      plain: "small",
      meaning: ([, group = 0]) => say("meaning.gradient_norms", { group: nameOfGroup(group) }),
    },
    {
      node: "update_ratios",
      symbol: "|Δ|/|W|",
      axes: "step group",
      plain: "small",
      meaning: ([, group = 0]) => say("meaning.update_ratios", { group: nameOfGroup(group) }),
    },
    {
      node: "learning_rates",
      symbol: "η",
      axes: "step",
      origin,
      plain: "small",
      // The first is that of step 1.
      meaning: ([at = 0]) => say("meaning.learning_rates", { step: at + 1 }),
    },
    ...(hasImages(snapshots)
      ? [{ node: "source", symbol: "I", key: "image", axes: "sample channel row column", letters: "" }]
      : []),
    { node: "loss", symbol: "L", axes: "" },
    { node: "embedding.weight", symbol: "E", role: "weight", family: "parameters", axes: "token number" },
  ];
  return [...drawn.map((tensor) => ({ ...tensor, stop: "train" })), ...partTensors(snapshots, say)];
}
