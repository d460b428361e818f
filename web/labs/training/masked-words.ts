/** A trained BERT in its lab, where it reads the same sentence as in its run. */
import type { Config, NumbersOf } from "../../config/config.js";
import { givenBounds } from "../../config/given.js";
import { bertBounds, parameterCount, parameterShapes } from "../../config/labs/bert.js";
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Snapshots } from "../../marks/scene.js";
import { valuesOf } from "../../stage/series.js";
import { configOf } from "./config-of.js";
import { shownHead } from "./onward.js";
import { tokensOf, vocabularyOf } from "./tokens.js";

const MASK = "<mask>";
/** The signs of the run, in the order of the lab's vocabulary: [CLS], [SEP], [MASK], and padding, which is a word there. */
const SIGNS = ["<begin>", "<end>", MASK, "<pad>"];

/**
 * The state of that lab with the parameters of this moment, on the first sample with a hidden word, if there is one without words that were
 * replaced by others; null for a model that it cannot show. It reads what the run read.
 */
export function bertConfig(numbers: TrainingNumbers, snapshots: Snapshots): Config | null {
  const { model, layers, heads, dim, ff: width = 4 * dim, norm, residual, divide } = numbers;
  if (model !== "bert" || norm !== "post" || !residual || !divide) return null;
  if (dim > bertBounds.dim.max || layers > bertBounds.layers.max) return null;
  const sentences = numbers.samples.map((_, at) =>
    ["source", "expected"].map((part) => tokensOf(snapshots, `asked_${at}.${part}`)),
  );
  const hiding = sentences.filter(([source]) => source!.includes(MASK));
  const isWhole = ([source, answer]: string[][]): boolean =>
    source!.every((word, at) => word === MASK || answer![at] === "" || answer![at] === word);
  const [read, expected] = hiding.find(isWhole) ?? hiding[0] ?? [];
  if (!read || !expected) return null;
  const words = vocabularyOf(snapshots);
  const known = words.filter((word) => !SIGNS.includes(word));
  if (known.length >= bertBounds.vocabulary.max) return null;
  const ids = [...SIGNS, ...known].map((word) => words.indexOf(word));
  const own: Partial<NumbersOf["bert"]> & Parameters<typeof parameterShapes>[0] = {
    tokens: read.map((word, at) => (word === MASK ? expected[at]! : word)),
    second: [],
    rule: "chosen",
    hidden: read.flatMap((word, at) => (word === MASK ? [at + 1] : [])),
    dim,
    heads,
    edits: [],
    layers,
    layer: shownHead(snapshots)?.layer ?? 0,
    width,
    vocabulary: ["[PAD]", ...known],
    positions: snapshots.get("embeddings.position_embeddings.weight")!.shape[0]!,
  };
  const count = parameterCount(own);
  if (count > givenBounds.max) return null;
  const all = Object.keys(parameterShapes(own)).flatMap((name) => {
    const data = Array.from(valuesOf(snapshots, name));
    if (!/^embeddings\.word|^head\.bias/.test(name)) return data;
    const wide = data.length / words.length;
    return ids.flatMap((id) => data.slice(id * wide, (id + 1) * wide));
  });
  if (all.length !== count) return null;
  return configOf("bert", { ...own, parameters: [all] });
}
