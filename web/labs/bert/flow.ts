/** The stage of the BERT lab: the sentences, and under them the stop in use. */
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
import { stringsIn, type Say } from "./strings.js";
import { placeNames } from "./tensors.js";

type Config = ConfigOf<"bert">;

/** As many heads side by side as have room for their columns. */
const MOST_COLUMNS = 44;

/** The first head that is shown is the target's. */
export const arrange = (_config: Config, { cell }: TargetRoom): string =>
  writeArrangement("heads", [cell?.node === "layers.0.self_attn.weights" ? (cell.index[0] ?? 0) : 0]);

function headsShown({ numbers }: Config, room: Room): number[] {
  const length = placeNames(numbers).length;
  const most = Math.max(1, Math.min(numbers.heads, Math.floor(MOST_COLUMNS / length)));
  const count = room.layout === "narrow" ? 1 : most;
  const from = Math.min(readArrangement(room).memory[0] ?? 0, numbers.heads - count);
  return Array.from({ length: count }, (_, at) => from + at);
}

function lossChart(snapshots: Snapshots, say: Say): Chart {
  const losses = [...(snapshots.get("losses")?.data ?? [])];
  return {
    id: "losses",
    title: say("chart.losses"),
    x: { label: say("chart.losses.x"), domain: [0, Math.max(5, losses.length - 1)] },
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
    // What was before the numbers on the stage.
    step: 0,
  };
}

export function stops({ numbers }: Config, _words: Words, snapshots: Snapshots): Stops {
  // A cell of each stop, in the row of a hidden place.
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
  const say = stringsIn(room.words);
  const { numbers } = config;
  const layer = (name: string): Block => of(`layers.0.${name}`);
  const line = (...pieces: Piece[]): Line => ({ pieces });
  const computed = (...pieces: (Block | TensorPiece)[]): Line => line(...withOperations(pieces, snapshots));
  const looked = (name: string, table: string): TensorPiece => ({
    tensor: of(`embeddings.${name}`),
    above: of(`embeddings.${table}.weight`),
    ...(name === "tokens" && { aboveNames: bertVocabulary(numbers) }),
  });
  const table = of("embeddings.word_embeddings.weight");
  const turned = {
    ...table,
    symbol: { text: "E", sup: "T" },
    rows: table.columns,
    columns: table.rows,
    letters: "D×V",
    turned: true,
  };
  const chart = lossChart(snapshots, say);
  const wide = room.layout === "wide";
  // A phone shows the sentences where they go in and where words come out.
  const found = of("probabilities").step;
  return {
    lines: [
      computed(
        looked("tokens", "word_embeddings"),
        looked("positions", "position_embeddings"),
        looked("segments", "token_type_embeddings"),
        of("embeddings.with_segments"),
        of("embeddings.norm"),
      ),
      line(
        ...headsShown(config, room).map((head): Piece => ({
          id: `head-${head}`,
          tensor: {
            ...layer("self_attn.weights"),
            at: [head, null, null],
            symbol: { text: "A", sub: String(head) },
          },
        })),
        layer("self_attn.output"),
      ),
      computed(
        { tensor: of("embeddings.norm"), id: "entering" },
        { tensor: layer("self_attn.output"), id: "added" },
        layer("norm1"),
        layer("linear2"),
        layer("norm2"),
      ),
      line(of("head.norm"), { tensor: of("logits"), above: turned }),
      computed(of("asked"), of("probabilities")),
      {
        pieces: [{ tensor: of("loss"), beside: [say("loss.of")] }, ...(wide ? [] : [{ chart }])],
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
    ...(room.layout === "narrow" && room.step !== 0 && room.step !== found
      ? {}
      : { overview: (scene, width) => drawBand(scene, width, numbers, snapshots, found, say) }),
    ...(wide ? { aside: chart } : {}),
  };
}
