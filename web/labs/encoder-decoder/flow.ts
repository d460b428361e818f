/** The lines of the encoder-decoder lab, for screens that have no room for its picture, and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import { atMostAcross, type Block } from "../../stage/place.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import type { Stops } from "../../telling/declaration.js";
import { stringsIn } from "./strings.js";
import { modelOf } from "../../config/labs/encoder-decoder.js";
import { headsOf, weightsOf, type Attention } from "./tensors.js";
import { vocabularyOf, decodedWords } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

/** Predictions and a difference of more words are drawn as a map with the width of so many. */
const MOST_ACROSS = { wide: 64, two: 48, narrow: 28 };

/** A weight of the cross attention in the third row, or in the last if there are fewer. In the first example that row predicts the noun "chat" and attends to "cat". */
export function opening({ numbers }: Config): Cell {
  const row = Math.min(2, numbers.steps - 1);
  const column = Math.min(row + 1, numbers.tokens.length - 1);
  return cellAt(weightsOf("cross", numbers), modelOf(numbers).head, row, column);
}

export function stops(config: Config, _words: Words, snapshots: Snapshots): Stops {
  const { numbers } = config;
  const cross = opening(config);
  const row = cross.index[1]!;
  const largest = (node: string, ...index: number[]) => largestInRow(snapshots, { node, index });
  // The word that the row predicts; before it is computed, the first word of the vocabulary.
  const word = decodedWords(numbers, snapshots)?.outputs[row];
  const wordId = word === undefined ? 0 : vocabularyOf(numbers).indexOf(word);
  return {
    read: largest("memory", Math.min(row, numbers.tokens.length - 1), 0),
    back: largest(weightsOf("self", numbers), modelOf(numbers).head, row, 0),
    ask: largestInRow(snapshots, cross),
    next: cellAt("next", row, wordId),
    keep: largest("kept_keys", row, 0),
  };
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const strings = stringsIn(room.words);
  const predictions = decodedWords(config.numbers, snapshots)?.outputs ?? [];
  const fitted = (node: string): Block => atMostAcross(of(node), MOST_ACROSS[room.layout]);
  const heads = (attention: Attention): Piece[] => headsOf(attention, config.numbers, of, strings);
  const line = (...pieces: Piece[]): Line => ({ pieces });
  return {
    // Without the difference, which is 0, there is room for the names of the heads.
    strip: [
      "source.embedded",
      ...(["encoder", "self", "cross"] as const).map((attention) => weightsOf(attention, config.numbers)),
      "memory",
      "target.embedded",
      "output",
      "next",
      "kept_keys",
      "kept_values",
    ],
    lines: [
      line(of("source.embedded"), ...heads("encoder"), of("memory")),
      line(of("target.embedded"), ...heads("self")),
      line(...heads("cross")),
      line(of("output")),
      line({
        tensor: fitted("next"),
        beside: predictions.map((word) => strings("chosen", { word })),
      }),
      line(of("kept_keys"), of("kept_values")),
      line(fitted("difference")),
    ],
  };
}
