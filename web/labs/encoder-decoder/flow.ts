/** The stage of lab 7 where the whole has no room: its lines, and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import type { Stops } from "../../telling/declaration.js";
import { stringsIn } from "./strings.js";
import { headsOf, type Attention } from "./tensors.js";
import { vocabulary, writtenOf } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

/** Where the word before a colour asks for its noun: the row of the word written third, if there is one. */
export function opening({ numbers }: Config): Cell {
  const row = Math.min(2, numbers.steps - 1);
  return cellAt("decoder.multihead_attn.weights", 0, row, Math.min(row + 1, numbers.tokens.length - 1));
}

export function stops(config: Config, _words: Words, snapshots: Snapshots): Stops {
  const { numbers } = config;
  const cross = opening(config);
  const row = cross.index[1]!;
  const largest = (node: string, ...index: number[]) => largestInRow(snapshots, { node, index });
  // The word that was chosen after the row; the first before it is computed.
  const word = writtenOf(numbers, snapshots)?.chosen[row];
  const next = word === undefined ? 0 : vocabulary.indexOf(word);
  return {
    read: largest("memory", Math.min(row, numbers.tokens.length - 1), 0),
    back: largest("decoder.self_attn.weights", 0, row, 0),
    ask: largestInRow(snapshots, cross),
    next: cellAt("next", row, next),
    keep: largest("kept_keys", row, 0),
  };
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const say = stringsIn(room.words);
  const chosen = writtenOf(config.numbers, snapshots)?.chosen ?? [];
  const heads = (attention: Attention): Piece[] => headsOf(attention, of, say);
  const line = (...pieces: Piece[]): Line => ({ pieces });
  return {
    lines: [
      line(of("source.embedded"), ...heads("encoder"), of("memory")),
      line(of("target.embedded"), ...heads("self")),
      line(...heads("cross")),
      line(of("output")),
      line({
        tensor: of("next"),
        beside: chosen.map((word) => say("chosen", { word })),
      }),
      line(of("kept_keys"), of("kept_values")),
      line(of("difference")),
    ],
  };
}
