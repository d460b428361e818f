/** The stage of the encoder-decoder lab on wide screens: the encoder above, the decoder below it, and its predictions at the right. */
import type { ConfigOf } from "../../config/config.js";
import { modelOf } from "../../config/labs/encoder-decoder.js";
import { cutTo, textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  familiesOf,
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
import { headsOf, shownHeads, weightsOf, wordsOfRows, type Attention } from "./tensors.js";
import { decodedWords, vocabularyOf } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;
type BlockOf = (node: string) => Block;

/** `end` is the lower edge of the longest note, that of a layer norm. The names of the vocabulary begin below it. */
const NOTE = { width: 400, gap: 24, end: 318 };
const HEADING = 24;
/** The width at the end of a row for the predicted word: as much as the longest needs, between these. */
const PREDICTION = { least: 78, most: 120 };
const GAP = 26;
/** At 18 px every column name of the vocabulary is drawn; rows of the decoder of `named` px have room for the word that each writes. */
const CELL = { most: 30, least: 9, vocabulary: 18, dense: 12, low: 10, under: 7, named: 12, tall: 30 };
/** Matrices of more columns than `columns` share a width: two of wide words that of `words`, those of many words to predict that of `vocabulary`. */
const MAP = { columns: 32, words: 330, vocabulary: 470 };
/** The least height of the rows of the decoder together, where they have room for their words: then the stage is taller than the screen. */
const LEAST_LOWER = 72;

/** A line of matrices with the same rows, which grows to the right. */
interface Tier {
  scene: Scene;
  room: Room;
  numbers: Config["numbers"];
  of: BlockOf;
  rowNames: readonly string[];
  cellHeight: number;
  /** The upper edge of the cells. */
  y: number;
  /** The left edge of the next matrix. */
  x: number;
  /** Whether a matrix already shows the names of the rows. */
  hasRowNames: boolean;
}

/** Places a matrix at the end of the tier. */
function addMatrix(
  tier: Tier,
  block: Block,
  cellWidth: number,
  options: { id?: string; columnNames?: readonly string[] } = {},
): void {
  place(tier.scene, block, tier.x, tier.y, cellWidth, tier.cellHeight, {
    ...options,
    caption: "below",
    captionWidth: block.columns * cellWidth + GAP - 8,
    ...(tier.hasRowNames ? {} : { rowNames: tier.rowNames }),
  });
  tier.hasRowNames = true;
  tier.x += block.columns * cellWidth;
}

/** Draws the arrow of an operation at the end of the tier. */
function addArrow(tier: Tier, node: string, name: string, step: number): void {
  const gap = operatorGap([name]);
  operator(tier.scene, node, tier.x, tier.x + gap, tier.y + 1.5 * tier.cellHeight, [name], step);
  tier.x += gap;
}

/** Places the weights of the shown heads of an attention at the end of the tier. */
function addHeads(tier: Tier, attention: Attention, columnNames: readonly string[], cellWidth: number): void {
  headsOf(attention, tier.numbers, tier.of, stringsIn(tier.room.words)).forEach(({ id, tensor }, head) => {
    if (head > 0) tier.x += GAP;
    addMatrix(tier, tensor, cellWidth, { id, columnNames });
  });
}

/** Encoder and decoder on one screen. At the last stop the cache takes the place of the encoder. */
export function picture(config: Config, snapshots: Snapshots, room: Room, of: BlockOf): Scene | null {
  if (room.layout !== "wide") return null;
  const strings = stringsIn(room.words);
  const { source, target } = wordsOfRows(config, room.words, snapshots);
  const { numbers } = config;
  const predictions = decodedWords(numbers, snapshots)?.outputs ?? [];
  const vocabulary = vocabularyOf(numbers);
  const { dim, layer, layers } = modelOf(numbers);
  const heads = shownHeads(numbers);
  const attend = layer > 0 ? strings("op.within", { n: layer }) : strings("op.attend");
  const [S, L, V] = [source.length, target.length, vocabulary.length];
  const isCacheStop = room.step === of("kept_keys").step;
  const gaps = (names: readonly string[]) => names.reduce((sum, name) => sum + operatorGap([name]), 0);
  const fit = (space: number, columns: number) =>
    Math.max(CELL.least, Math.min(CELL.most, Math.floor(space / columns)));
  const label = Math.max(labelWidth(source), labelWidth(target));

  // The decoder takes the whole width below. With little room, the columns of the vocabulary become narrow first.
  const longest = Math.max(0, ...predictions.map((word) => textWidth(strings("chosen", { word }))));
  const prediction = Math.min(PREDICTION.most, Math.max(PREDICTION.least, BRACKET + 12 + Math.ceil(longest)));
  const fixedWidth = label + prediction + 2 * GAP + gaps([strings("op.ask"), strings("op.softmax")]);
  const columns = heads.length * (L + S);
  const hasRoom = (room.width - fixedWidth - V * CELL.vocabulary) / columns >= 16;
  const named = hasRoom ? CELL.vocabulary : CELL.dense;
  const spaceAcross = room.width - fixedWidth - columns * CELL.least;
  const across = V > MAP.columns ? Math.max(1, Math.min(MAP.vocabulary, spaceAcross) / V) : named;
  const cell = fit(room.width - fixedWidth - V * across, columns);

  // The encoder, or the cache, is above, beside the note.
  const left = room.width - NOTE.width - NOTE.gap - 8;
  const upperFixed = isCacheStop ? label + 2 * GAP + 8 : label + GAP + 2 * gaps([attend]) + 8;
  const hasWideWords = 2 * dim > MAP.columns;
  const besideWords = isCacheStop ? V : heads.length * S;
  const upper = hasWideWords
    ? fit(left - upperFixed - MAP.words, besideWords)
    : fit(left - upperFixed, 2 * dim + besideWords);
  const mostWords = left - upperFixed - (isCacheStop ? V : besideWords * upper);
  const wordCell = Math.min(hasWideWords ? MAP.words / 2 / dim : upper, mostWords / 2 / dim);
  const differenceCell = Math.min(upper, (left - upperFixed - 2 * dim * wordCell) / V);

  // The encoder and the cache take the same height, so that the decoder stands still.
  const upperRows = Math.max(S, L);
  const headUpper = HEADING + Math.max(8, headroom([...vocabulary, ...source], upper) - 26);
  const headLower =
    HEADING + Math.max(8, headroom([...vocabulary, ...source, ...target], Math.min(cell, across)) - 26);
  const fixed = 4 + headUpper + CAPTION_BELOW + 22 + headLower + CAPTION_BELOW + 8 + LEGEND + 6;
  const mostHeight = Math.floor((Math.max(430, room.height) - fixed) / (upperRows + L));
  const cellHeight = Math.max(CELL.low, Math.min(CELL.tall, mostHeight));

  const scene = emptyScene(room.width);
  const addHeading = (x: number, y: number, text: string, step: number) =>
    scene.labels.push({ x, y: y + 14, text, kind: "heading", step });
  const newTier = (y: number, rowNames: readonly string[]): Tier => ({
    scene,
    room,
    of,
    rowNames,
    cellHeight,
    y,
    x: label,
    numbers,
    hasRowNames: false,
  });

  addHeading(
    label - BRACKET,
    4,
    strings(isCacheStop ? "head.kept" : "head.encoder"),
    isCacheStop ? of("kept_keys").step : 0,
  );
  const above = newTier(4 + headUpper, isCacheStop ? target : source);
  if (isCacheStop) {
    addMatrix(above, of("kept_keys"), wordCell);
    above.x += GAP;
    addMatrix(above, of("kept_values"), wordCell);
    above.x += GAP;
    addMatrix(above, of("difference"), differenceCell, { columnNames: vocabulary });
  } else {
    addMatrix(above, of("source.embedded"), wordCell);
    addArrow(above, weightsOf("encoder", numbers), attend, 0);
    addHeads(above, "encoder", source, upper);
    addArrow(above, "memory", strings(layers > 1 ? "op.layers.many" : "op.layers"), 0);
    addMatrix(above, of("memory"), wordCell);
  }

  const top = Math.max(above.y + upperRows * cellHeight + CAPTION_BELOW + 22, NOTE.end - HEADING);
  const footHeight = headLower + CAPTION_BELOW + 8 + LEGEND + 6;
  const mostLowerHeight = Math.floor((Math.max(430, room.height) - top - footHeight) / L);
  const leastLowerHeight = Math.max(CELL.under, Math.min(CELL.named, Math.floor(LEAST_LOWER / L)));
  const lowerHeight = Math.max(leastLowerHeight, Math.min(cellHeight, mostLowerHeight));
  addHeading(label - BRACKET, top, strings("head.decoder"), 1);
  const below = { ...newTier(top + headLower, target), cellHeight: lowerHeight };
  addHeads(below, "self", target, cell);
  addArrow(below, weightsOf("cross", numbers), strings("op.ask"), 2);
  const crossX = below.x;
  addHeads(below, "cross", source, cell);
  addArrow(below, "next", strings("op.softmax"), 3);
  addMatrix(below, of("next"), across, { columnNames: vocabulary });
  predictions.forEach((word, row) => {
    const text = strings("chosen", { word });
    scene.labels.push({
      x: below.x + BRACKET + 8,
      y: below.y + (row + 0.5) * lowerHeight + 4,
      text: textWidth(text) > prediction ? cutTo(text, prediction - 8) : text,
      kind: "axis",
      role: "output",
      step: 3,
    });
  });

  if (!isCacheStop) {
    // A line from the memory, which gives the keys and values, to the cross attention.
    const memory = scene.tensors.find(({ node }) => node === "memory")!;
    const from = memory.x + (right(memory, dim) - memory.x) / 2;
    const start = above.y + S * cellHeight + CAPTION_BELOW;
    const to = crossX + (heads.length * S * cell + (heads.length - 1) * GAP) / 2;
    wire(
      scene,
      "memory-cross",
      "memory",
      `${weightsOf("cross", numbers)}-${heads[0]}`,
      [
        [from, start - 2],
        [from, start + 10],
        [to, start + 10],
        [to, top + HEADING - 2],
      ],
      "key",
      2,
    );
  }

  const families = familiesOf(scene);
  const y = below.y + L * lowerHeight + CAPTION_BELOW + 8;
  const legendArea = { x: label - BRACKET, y, width: room.width - label };
  const bottom = legends(scene, families, legendArea, Math.max(3, families.size), (family) =>
    strings(`legend.${family}` as "legend.kept"),
  );
  scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  scene.height = bottom + 6;
  scene.stop = room.step;
  return scene;
}
