/** The stage of the BERT lab: the sentences, and below them the lines of the current stop. */
import type { Block } from "../../stage/place.js";
import { bertVocabulary } from "../../config/labs/bert.js";
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshots } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../../stage/arrangement.js";
import type { Chart } from "../../stage/chart.js";
import type { Flow, Line, Piece, TensorPiece } from "../../stage/flow.js";
import { withOperations } from "../../stage/graph/operations.js";
import { cellAt, largestInRow } from "../../telling/largest.js";
import type { Stop, Stops } from "../../telling/declaration.js";
import { drawBand } from "./picture.js";
import { stringsIn, type Strings } from "./strings.js";
import { placeNames } from "./tensors.js";

type Config = ConfigOf<"bert">;

/** The largest number of columns of all heads that stand side by side. */
const MOST_COLUMNS = 44;

/** The first visible head is the head of the target cell. */
export const arrange = (_config: Config, { cell }: TargetRoom): string =>
  writeArrangement("heads", [cell?.node === "layers.0.self_attn.weights" ? (cell.index[0] ?? 0) : 0]);

function visibleHeads({ numbers }: Config, room: Room): number[] {
  const length = placeNames(numbers).length;
  const mostHeads = Math.max(1, Math.min(numbers.heads, Math.floor(MOST_COLUMNS / length)));
  const count = room.layout === "narrow" ? 1 : mostHeads;
  const from = Math.min(readArrangement(room).memory[0] ?? 0, numbers.heads - count);
  return Array.from({ length: count }, (_, at) => from + at);
}

function lossChart(snapshots: Snapshots, strings: Strings): Chart {
  const losses = [...(snapshots.get("losses")?.data ?? [])];
  return {
    id: "losses",
    title: strings("chart.losses"),
    x: { label: strings("chart.losses.x"), domain: [0, Math.max(5, losses.length - 1)] },
    y: { label: "", domain: [0, Math.max(1, Math.ceil(Math.max(0, ...losses)))] },
    series: [
      {
        id: "losses",
        role: "output",
        kind: "line",
        dots: true,
        points: losses.map((loss, step): [number, number] => [step, loss]),
        cells: losses.map((_, step) => ({ node: "losses", index: [step] })),
      },
    ],
    // Training comes before all other numbers, so the losses are visible from the first stop.
    step: 0,
  };
}

export function stops({ numbers }: Config, _words: Words, snapshots: Snapshots): Stops {
  // Each stop has a cell in the row of the first hidden place.
  const place = snapshots.get("hidden_places")?.data[0] ?? numbers.hidden[0] ?? 1;
  const largest = (node: string, ...index: number[]): Stop => largestInRow(snapshots, { node, index });
  return {
    embed: largest("embeddings.with_segments", place, 0),
    attend: largest("layers.0.self_attn.weights", 0, place, 1),
    layer: largest("layers.0.norm2", place, 0),
    predict: largest("logits", place, 0),
    score: largest("probabilities", 0, 0),
  };
}

export const opening = ({ numbers }: Config): Stop =>
  cellAt("embeddings.with_segments", numbers.hidden[0] ?? 1, 0);

export function flow(config: Config, snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const strings = stringsIn(room.words);
  const { numbers } = config;
  const layer = (name: string): Block => of(`layers.0.${name}`);
  const line = (...pieces: Piece[]): Line => ({ pieces });
  const equation = (...pieces: (Block | TensorPiece)[]): Line => line(...withOperations(pieces, snapshots));
  const lookup = (name: string, table: string): TensorPiece => ({
    tensor: of(`embeddings.${name}`),
    above: of(`embeddings.${table}.weight`),
    ...(name === "tokens" && { aboveNames: bertVocabulary(numbers) }),
  });
  const table = of("embeddings.word_embeddings.weight");
  const transposedTable = {
    ...table,
    symbol: { text: "E", sup: "T" },
    rows: table.columns,
    columns: table.rows,
    letters: "D×V",
    turned: true,
  };
  const chart = lossChart(snapshots, strings);
  const isWide = room.layout === "wide";
  // A phone shows the sentences at two stops only: the embeddings and the probabilities.
  const probabilityStop = of("probabilities").step;
  return {
    lines: [
      equation(
        lookup("tokens", "word_embeddings"),
        lookup("positions", "position_embeddings"),
        lookup("segments", "token_type_embeddings"),
        of("embeddings.with_segments"),
        of("embeddings.norm"),
      ),
      line(
        ...visibleHeads(config, room).map((head): Piece => ({
          id: `head-${head}`,
          tensor: {
            ...layer("self_attn.weights"),
            at: [head, null, null],
            symbol: { text: "A", sub: String(head) },
          },
        })),
        layer("self_attn.output"),
      ),
      equation(
        { tensor: of("embeddings.norm"), id: "entering" },
        { tensor: layer("self_attn.output"), id: "added" },
        layer("norm1"),
        layer("linear2"),
        layer("norm2"),
      ),
      line(of("head.norm"), { tensor: of("logits"), above: transposedTable }),
      equation(of("asked"), of("probabilities")),
      {
        pieces: [{ tensor: of("loss"), beside: [strings("loss.of")] }, ...(isWide ? [] : [{ chart }])],
        height: 170,
      },
    ],
    strip: [
      "embeddings.tokens",
      "embeddings.positions",
      "embeddings.segments",
      "embeddings.norm",
      "layers.0.self_attn.weights",
      "layers.0.norm2",
      "logits",
      "probabilities",
    ],
    ...(room.layout === "narrow" && room.step !== 0 && room.step !== probabilityStop
      ? {}
      : { overview: (scene, width) => drawBand(scene, width, numbers, snapshots, probabilityStop, strings) }),
    ...(isWide ? { aside: chart } : {}),
  };
}
