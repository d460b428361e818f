/** Lab 9: BERT's inputs (section 3 of "BERT"), and the words it finds again. */
import type { BertNumbers } from "../../config/labs/bert.js";
import type { Lab } from "../../telling/lab.js";
import { told } from "../../telling/told.js";
import formula from "./bert.tex?mathml";
import { settings } from "./settings.js";
import { arrange, bertFlow } from "./stage.js";
import { bertTensors, stopIds, type Stop } from "./tensors.js";
import { sayIn } from "./strings.js";
import { largestInRow } from "../../telling/largest.js";

/** A cell of each stop, in the row of a hidden place. */
function cellOf(
  numbers: BertNumbers,
  stop: Stop,
  place = numbers.hidden[0] ?? 1,
): { node: string; index: number[] } {
  const cells: Record<Stop, { node: string; index: number[] }> = {
    embed: { node: "embeddings.with_segments", index: [place, 0] },
    attend: { node: "layers.0.self_attn.weights", index: [0, place, 1] },
    layer: { node: "layers.0.norm2", index: [place, 0] },
    predict: { node: "logits", index: [place, 0] },
    score: { node: "probabilities", index: [0, 0] },
  };
  return cells[stop];
}

export const lab: Lab<"bert"> = told({
  id: "bert",
  formulas: { bert: formula },
  title: (_config, words) => sayIn(words)("title"),
  lede: (_config, words, narrow) => sayIn(words)(narrow ? "lede.narrow" : "lede"),
  ...settings,
  tensors: ({ numbers }, words) => bertTensors(numbers, sayIn(words)),
  stops({ numbers }, words, snapshots) {
    const say = sayIn(words);
    const hidden = snapshots.get("hidden_places")?.data[0];
    return stopIds.map((id) => ({
      id,
      title: say(`stop.${id}`),
      sentence: say(`tell.${id}`),
      cell: largestInRow(snapshots, cellOf(numbers, id, hidden)),
    }));
  },
  arrange,
  flow: (config, snapshots, room, of) => bertFlow(config, snapshots, room, of, sayIn(room.words)),
  symbols: () => ({
    id: "bert",
    symbols: {
      X0: "embeddings.norm",
      W: "embeddings.tokens",
      P: "embeddings.positions",
      S: "embeddings.segments",
      p: "probabilities",
      H: "head.norm",
      E: "embeddings.word_embeddings.weight",
    },
  }),
  opening: ({ numbers }) => cellOf(numbers, "embed"),
});
