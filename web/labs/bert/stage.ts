/** The stage of the BERT lab: the sentences, and under them the stop in use. */
import type { Block } from "../../stage/place.js";
import { bertVocabulary } from "../../config/labs/bert.js";
import type { ConfigOf } from "../../config/config.js";
import type { Room, RoomAt, Snapshots } from "../../marks/scene.js";
import { arrangedAs, remembered } from "../../stage/arrangement.js";
import type { Chart } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import { drawBand } from "./band.js";
import { hiddenNames, placeNames, stopIds, type Stop } from "./tensors.js";
import type { Say } from "./strings.js";

type Config = ConfigOf<"bert">;

/** As many heads side by side as have room for their columns. */
const MOST_COLUMNS = 44;

/** The first head that is shown is the target's. */
export const arrange = (_config: Config, { cell }: RoomAt): string =>
  remembered("heads", [cell?.node === "layers.0.self_attn.weights" ? (cell.index[0] ?? 0) : 0]);

function headsShown({ numbers }: Config, room: Room): number[] {
  const length = placeNames(numbers).length;
  const most = Math.max(1, Math.min(numbers.heads, Math.floor(MOST_COLUMNS / length)));
  const count = room.layout === "narrow" ? 1 : most;
  const from = Math.min(arrangedAs(room).memory[0] ?? 0, numbers.heads - count);
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

export function bertFlow(
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
  say: Say,
): Flow {
  const { numbers } = config;
  const names = placeNames(numbers);
  const vocabulary = bertVocabulary(numbers);
  const hidden = hiddenNames(numbers);
  const layer = (name: string): Block => of(`layers.0.${name}`);
  const line = (stop: Stop, pieces: Piece[], more: Partial<Line> = {}): Line => ({
    rowNames: names,
    pieces,
    steps: [stopIds.indexOf(stop)],
    ...more,
  });
  const arrow = (operator: string, stop: Stop, name: string): Piece => ({
    operator,
    name: [name],
    step: stopIds.indexOf(stop),
  });
  const plus: Piece = { sign: "+" };
  const looked = (name: string, table: string, aboveNames?: readonly string[]): Piece => ({
    tensor: of(`embeddings.${name}`),
    above: of(`embeddings.${table}.weight`),
    ...(aboveNames ? { aboveNames } : {}),
  });
  const table = of("embeddings.word_embeddings.weight");
  const turned = {
    ...table,
    symbol: { text: "E", sup: "T" },
    rows: numbers.dim,
    columns: vocabulary.length,
    letters: "D×V",
    turned: true,
  };
  const chart = lossChart(snapshots, say);
  const wide = room.layout === "wide";
  // A phone shows the sentences where they go in and where words come out.
  const ends = [stopIds.indexOf("embed"), stopIds.indexOf("score")];
  return {
    lines: [
      line("embed", [
        looked("tokens", "word_embeddings", vocabulary),
        plus,
        looked("positions", "position_embeddings"),
        plus,
        looked("segments", "token_type_embeddings"),
        { sign: "=" },
        { tensor: of("embeddings.with_segments") },
        arrow("embeddings.norm", "embed", "LN"),
        { tensor: of("embeddings.norm") },
      ]),
      line("attend", [
        ...headsShown(config, room).map((head): Piece => {
          const weights = layer("self_attn.weights");
          return {
            id: `head-${head}`,
            tensor: { ...weights, at: [head, null, null], symbol: { text: "A", sub: String(head) } },
            columnNames: names,
          };
        }),
        { tensor: layer("self_attn.output") },
      ]),
      line("layer", [
        { tensor: of("embeddings.norm"), id: "entering" },
        plus,
        { tensor: layer("self_attn.output"), id: "added" },
        arrow("layers.0.norm1", "layer", "LN"),
        { tensor: layer("norm1") },
        plus,
        { tensor: layer("linear2") },
        arrow("layers.0.norm2", "layer", "LN"),
        { tensor: layer("norm2") },
      ]),
      line("predict", [
        { tensor: of("head.norm") },
        { tensor: of("logits"), above: turned, columnNames: vocabulary },
      ]),
      {
        ...(hidden ? { rowNames: hidden } : {}),
        pieces: [
          { tensor: of("asked"), columnNames: vocabulary },
          arrow("probabilities", "score", "softmax"),
          { tensor: of("probabilities"), columnNames: vocabulary },
        ],
        steps: [stopIds.indexOf("score")],
      },
      {
        pieces: [{ tensor: of("loss"), beside: [say("loss.of")] }, ...(wide ? [] : [{ chart }])],
        steps: [stopIds.indexOf("score")],
        height: 170,
      },
    ],
    legendOf: (family) => say(`legend.${family}` as "legend.rows"),
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
    ...(room.layout === "narrow" && !ends.includes(room.step)
      ? {}
      : { overview: (scene, width) => drawBand(scene, width, numbers, snapshots, say) }),
    ...(wide ? { aside: chart } : {}),
  };
}
