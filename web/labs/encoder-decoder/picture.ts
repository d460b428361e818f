/** The stage of lab 7 on wide screens: the encoder above, the decoder below it, its predictions at the right. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  headroom,
  labelWidth,
  legends,
  operator,
  operatorGap,
  place,
  right,
  wire,
  type Block,
} from "../../stage/place.js";
import { stringsIn } from "./strings.js";
import { headsOf, namesOf, type Attention } from "./tensors.js";
import { vocabulary, writtenOf } from "./vocabulary.js";

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
  attention: Attention,
  columnNames: readonly string[],
  cellWidth: number,
): void {
  headsOf(attention, tier.of, stringsIn(tier.room.words)).forEach(({ id, tensor }, head) => {
    if (head > 0) tier.x += GAP;
    put(tier, tensor, cellWidth, { id, columnNames });
  });
}

/** The whole on one screen. At the last stop the cache stands where the encoder stood. */
export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  if (room.layout !== "wide") return null;
  const say = stringsIn(room.words);
  const { read: source, written: target } = namesOf(config, room.words, snapshots);
  const chosen = writtenOf(config.numbers, snapshots)?.chosen ?? [];
  const [S, L, V] = [source.length, target.length, vocabulary.length];
  const caching = room.step === of("kept_keys").step;
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

  heading(
    label - BRACKET,
    4,
    say(caching ? "head.kept" : "head.encoder"),
    caching ? of("kept_keys").step : 0,
  );
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
    bothHeads(above, "encoder", source, upper);
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
  bothHeads(below, "self", target, cell);
  arrow(below, "decoder.multihead_attn.weights", say("op.ask"), 2);
  const asked = below.x;
  bothHeads(below, "cross", source, cell);
  arrow(below, "next", say("op.softmax"), 3);
  put(below, of("next"), across, { columnNames: vocabulary });
  chosen.forEach((word, row) =>
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

  const families = new Map(scene.tensors.map(({ family, fill }) => [family, fill]));
  const y = below.y + L * lowerHeight + CAPTION_BELOW + 8;
  const ruled = { x: label - BRACKET, y, width: room.width - label };
  const bottom = legends(scene, families, ruled, Math.max(3, families.size), (family) =>
    say(`legend.${family}` as "legend.kept"),
  );
  scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  scene.height = bottom + 6;
  scene.stop = room.step;
  return scene;
}
