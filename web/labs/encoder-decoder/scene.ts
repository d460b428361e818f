/** The stage of lab 7 on wide screens: the encoder above, the decoder below it, its predictions at the right; and the lines of others. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  headroom,
  labelWidth,
  legend,
  operator,
  operatorGap,
  place,
  right,
  wire,
  type Block,
} from "../../stage/place.js";
import { heads, ownWords, rowsOf } from "./tensors.js";
import { vocabulary } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;
type Of = (node: string) => Block;

/** The longest note, that of a layer norm, ends above the names of the vocabulary. */
const NOTE = { width: 400, gap: 24, end: 318 };
const HEADING = 24;
/** Room at the end of a row for the word that was chosen. */
const CHOSEN = 78;
const GAP = 26;
/** At 18 px every column name of the vocabulary is drawn. */
const CELL = { most: 30, least: 9, vocabulary: 18, dense: 12, low: 10, under: 7, tall: 30 };

const keep = 4;

/** One head of an attention's weights. */
function headOf(tensor: Block, head: number, name: string): Block {
  return { ...tensor, at: [head, null, null], name };
}

export function legendOf(family: string, room: Room): string {
  const say = ownWords(room.words);
  switch (family) {
    case "weights":
    case "next":
      return say("legend.weights");
    case "kept":
      return say("legend.kept");
    case "difference":
      return say("legend.difference");
    default:
      return say("legend.activations");
  }
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: Of): Flow {
  const say = ownWords(room.words);
  const { source, target, chosen } = rowsOf(config, room.words, snapshots);
  const weights = (node: string, name: "encoder" | "self" | "cross", columns: readonly string[]): Piece[] =>
    Array.from({ length: heads }, (_, head) => ({
      tensor: headOf(of(node), head, say(`name.${name}`, { n: head })),
      id: `${node}-${head}`,
      columnNames: columns,
    }));
  const [encoder, self, cross] = ["encoder.self_attn", "decoder.self_attn", "decoder.multihead_attn"].map(
    (node) => `${node}.weights`,
  ) as [string, string, string];
  const lines: Line[] = [
    {
      rowNames: source,
      pieces: [
        { tensor: of("source.embedded") },
        ...weights(encoder, "encoder", source),
        { tensor: of("memory") },
      ],
      steps: [0],
    },
    {
      rowNames: target,
      pieces: [{ tensor: of("target.embedded") }, ...weights(self, "self", target)],
      steps: [1],
    },
    { rowNames: target, pieces: weights(cross, "cross", source), steps: [2] },
    { rowNames: target, pieces: [{ tensor: of("output") }], steps: [3] },
    {
      rowNames: target,
      pieces: [
        {
          tensor: of("next"),
          columnNames: vocabulary,
          beside: (chosen ?? []).map((word) => say("chosen", { word })),
        },
      ],
      steps: [3],
    },
    {
      rowNames: target,
      pieces: [{ tensor: of("kept_keys") }, { tensor: of("kept_values") }],
      steps: [keep],
    },
    { rowNames: target, pieces: [{ tensor: of("difference"), columnNames: vocabulary }], steps: [keep] },
  ];
  return { lines, legendOf: (family) => legendOf(family, room) };
}

interface Tier {
  scene: Scene;
  room: Room;
  of: Of;
  rowNames: readonly string[];
  cellHeight: number;
  /** Upper edge of the cells. */
  y: number;
  x: number;
  named: boolean;
}

function put(
  tier: Tier,
  block: Block,
  cellWidth: number,
  given: { id?: string; columnNames?: readonly string[] } = {},
): void {
  place(tier.scene, block, tier.x, tier.y, cellWidth, tier.cellHeight, {
    ...given,
    caption: "below",
    captionWidth: block.columns * cellWidth + GAP - 8,
    ...(tier.named ? {} : { rowNames: tier.rowNames }),
  });
  tier.named = true;
  tier.x += block.columns * cellWidth;
}

function arrow(tier: Tier, node: string, name: string, step: number): void {
  const gap = operatorGap([name]);
  operator(tier.scene, node, tier.x, tier.x + gap, tier.y + 1.5 * tier.cellHeight, [name], step);
  tier.x += gap;
}

function bothHeads(
  tier: Tier,
  node: string,
  name: "encoder" | "self" | "cross",
  columnNames: readonly string[],
  cellWidth: number,
): void {
  const say = ownWords(tier.room.words);
  for (let head = 0; head < heads; head += 1) {
    if (head > 0) tier.x += GAP;
    const block = headOf(tier.of(node), head, say(`name.${name}`, { n: head }));
    put(tier, block, cellWidth, { id: `${node}-${head}`, columnNames });
  }
}

/** The whole on one screen. At the last stop the cache stands where the encoder stood. */
export function wideScene(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene {
  const say = ownWords(room.words);
  const { source, target, chosen } = rowsOf(config, room.words, snapshots);
  const [S, L, V] = [source.length, target.length, vocabulary.length];
  const caching = room.step === keep;
  const gaps = (names: readonly string[]) => names.reduce((sum, name) => sum + operatorGap([name]), 0);
  const fit = (space: number, columns: number) =>
    Math.max(CELL.least, Math.min(CELL.most, Math.floor(space / columns)));
  const label = Math.max(labelWidth(source), labelWidth(target));

  // Below: the decoder across the whole width; the names of the vocabulary give way first.
  const ends = label + CHOSEN + 2 * GAP + gaps([say("op.ask"), say("op.softmax")]);
  const columns = 2 * (L + S);
  const roomy = (room.width - ends - V * CELL.vocabulary) / columns >= 16;
  const across = roomy ? CELL.vocabulary : CELL.dense;
  const cell = fit(room.width - ends - V * across, columns);

  // Above: the encoder, or the cache, beside the note.
  const left = room.width - NOTE.width - NOTE.gap - 8;
  const upperFixed = caching ? label + 2 * GAP + 8 : label + GAP + 2 * gaps([say("op.attend")]) + 8;
  const upperColumns = caching ? 16 + V : 16 + 2 * S;
  const upper = fit(left - upperFixed, upperColumns);

  const upperNames = caching ? vocabulary : source;
  const upperRows = caching ? L : S;
  const headUpper = HEADING + Math.max(8, headroom(upperNames, upper) - 26);
  const headLower =
    HEADING + Math.max(8, headroom([...vocabulary, ...source, ...target], Math.min(cell, across)) - 26);
  const fixed = 4 + headUpper + CAPTION_BELOW + 22 + headLower + CAPTION_BELOW + 8 + LEGEND + 6;
  const tall = Math.floor((Math.max(430, room.height) - fixed) / (upperRows + L));
  const cellHeight = Math.max(CELL.low, Math.min(CELL.tall, tall));

  const scene = emptyScene(room.width);
  const heading = (x: number, y: number, text: string, step: number) =>
    scene.labels.push({ x, y: y + 14, text, kind: "heading", step });
  const tier = (y: number, rowNames: readonly string[]): Tier => ({
    scene,
    room,
    of,
    rowNames,
    cellHeight,
    y,
    x: label,
    named: false,
  });

  heading(label - BRACKET, 4, say(caching ? "head.kept" : "head.encoder"), caching ? keep : 0);
  const above = tier(4 + headUpper, caching ? target : source);
  if (caching) {
    put(above, of("kept_keys"), upper);
    above.x += GAP;
    put(above, of("kept_values"), upper);
    above.x += GAP;
    put(above, of("difference"), upper, { columnNames: vocabulary });
  } else {
    put(above, of("source.embedded"), upper);
    arrow(above, "encoder.self_attn.weights", say("op.attend"), 0);
    bothHeads(above, "encoder.self_attn.weights", "encoder", source, upper);
    arrow(above, "memory", say("op.layers"), 0);
    put(above, of("memory"), upper);
  }

  const middle = above.y + upperRows * cellHeight + CAPTION_BELOW;
  const top = Math.max(middle + 22, NOTE.end - HEADING);
  const ending = headLower + CAPTION_BELOW + 8 + LEGEND + 6;
  const rest = Math.floor((Math.max(430, room.height) - top - ending) / L);
  const lowerHeight = Math.max(CELL.under, Math.min(cellHeight, rest));
  heading(label - BRACKET, top, say("head.decoder"), 1);
  const below = { ...tier(top + headLower, target), cellHeight: lowerHeight };
  bothHeads(below, "decoder.self_attn.weights", "self", target, cell);
  arrow(below, "decoder.multihead_attn.weights", say("op.ask"), 2);
  const asked = below.x;
  bothHeads(below, "decoder.multihead_attn.weights", "cross", source, cell);
  arrow(below, "next", say("op.softmax"), 3);
  put(below, of("next"), across, { columnNames: vocabulary });
  (chosen ?? []).forEach((word, row) =>
    scene.labels.push({
      x: below.x + BRACKET + 8,
      y: below.y + (row + 0.5) * lowerHeight + 4,
      text: say("chosen", { word }),
      kind: "axis",
      role: "output",
      step: 3,
    }),
  );

  if (!caching) {
    // Keys and values of the cross attention come from the memory.
    const memory = scene.tensors.find(({ node }) => node === "memory")!;
    const from = memory.x + (right(memory, 8) - memory.x) / 2;
    const to = asked + (S * cell + GAP / 2);
    wire(
      scene,
      "memory-cross",
      "memory",
      "decoder.multihead_attn.weights-0",
      [
        [from, middle - 2],
        [from, middle + 10],
        [to, middle + 10],
        [to, top + HEADING - 2],
      ],
      "key",
      2,
    );
  }

  const families = [...new Map(scene.tensors.map(({ family, fill }) => [family, fill]))];
  const y = below.y + L * lowerHeight + CAPTION_BELOW + 8;
  const each = Math.floor((room.width - label) / Math.max(3, families.length));
  families.forEach(([family, fill], at) =>
    legend(scene, family, fill, label - BRACKET + at * each, y, each - 20, legendOf(family, room)),
  );
  scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  scene.height = y + LEGEND + 6;
  scene.stop = room.step;
  return scene;
}
