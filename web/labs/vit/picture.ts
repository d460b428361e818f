/** The pictures of the ViT lab that are drawn by hand: the image with its grid and attention maps, a patch, the products. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderOf, hasEncoder, patchCount, positionSide, positionsOf } from "../../config/labs/vit.js";
import type { Key, Words } from "../../i18n/words.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { PlacedImage, Role, Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { crossingScene } from "../../stage/crossing.js";
import {
  CAPTION_ABOVE,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legend,
  legends,
  place,
  turned,
  type Block,
} from "../../stage/place.js";
import { stripOf } from "../../stage/strip.js";
import { pixelOf, stopAt } from "./flow.js";
import { stringsIn, type Strings } from "./strings.js";
import { answerOf, clsCount, positionNode, rowCount, rowNames, sequenceNode } from "./tensors.js";

type Config = ConfigOf<"vit">;
type Cell = PlacedImage["cells"][number];

/** The data that a picture is drawn from. */
interface Parts {
  numbers: VitNumbers;
  room: Room;
  /** The width of a row of pictures. */
  inner: number;
  words: Words;
  strings: Strings;
  scene: Scene;
  snapshots: Snapshots;
  of: (node: string) => Block;
  /** 1 if CLS precedes the patches, else 0. */
  cls: number;
  /** The row that is shown in detail; CLS, if any, is row 0. */
  row: number;
  /** Its patch, or the first one for CLS. */
  patch: number;
  /** The row that it is compared with; with an encoder, the head. */
  other: number;
  /** The column of the projection or of the positions, or the attention map that has the frame. */
  opened: number | undefined;
}

const TOP = 30;
const LEFT = 8;
/** Heights of a band of one channel, of a row of the sequence, of a row of scores, and of the largest weight over it. */
const BAND = 16;
const THIN = 12;
const ROW = 18;
const SKYLINE = 20;
/** The most patches that are drawn one by one in the line of patches. */
const SMALL_IMAGES = 64;
/** The room for the names of rows left of the sequence, and the greatest width of its cells. */
const NAMES = 52;
const WIDEST = 40;

/** The left edge, upper edge and side of a picture. */
type Square = readonly [x: number, y: number, side: number];

/** Adds a caption above a picture; it appears with the given step of Play. */
function addCaption(
  { scene }: Parts,
  [x, y, width]: Square,
  text: string,
  shape: string,
  step: number,
): void {
  scene.labels.push({ x, y, text, kind: "caption", step });
  if (shape) scene.labels.push({ x: x + width, y, text: shape, kind: "shape", anchor: "end", step });
}

/** Adds the name of a row, left of the row. */
function addRowName({ scene }: Parts, x: number, y: number, text: string, step: number, role?: Role): void {
  scene.labels.push({ x, y, text, kind: "axis", anchor: "end", ...(role && { role }), step });
}

/** An image in a square, with a cell for each patch. */
function addImage(
  { numbers, scene }: Parts,
  [x, y, size]: Square,
  rest: Pick<PlacedImage, "id" | "step"> & Partial<PlacedImage>,
  cellOf: (patch: number) => Cell,
): void {
  const cells = Array.from({ length: patchCount(numbers) }, (_, patch) => cellOf(patch));
  scene.images.push({ node: "image", x, y, size, patch: numbers.patch, frames: [], cells, ...rest });
}

/** The cell of the largest weight in the row of a patch: the weight for the patch that it attends to most. */
function mostAttendedCell({ numbers, cls, other, snapshots }: Parts, patch: number): Cell {
  const row = patch + cls;
  const total = rowCount(numbers);
  const weights = snapshots.get("weights")?.data;
  let most = 0;
  for (let at = 1; weights && at < total; at++)
    if (weights[row * total + at]! > weights[row * total + most]!) most = at;
  return { node: "weights", index: [row, weights ? most : other] };
}

/** Draws the whole image under its grid. A patch stands for its largest weight or, with an encoder, for a pixel. */
function drawWholeImage(parts: Parts, x: number, y: number, size: number): void {
  const { numbers, cls, row, patch, words } = parts;
  const shape = `3×${numbers.size}×${numbers.size} C×H×W`;
  addCaption(parts, [x, y - 12, size], words("labs.vit.image"), shape, 0);
  const frames: PlacedImage["frames"] = row < cls ? [] : [{ patch, role: "ink" }];
  addImage(parts, [x, y, size], { id: "image", step: 0, frames }, (one) =>
    hasEncoder(numbers) ? pixelOf(numbers, one) : mostAttendedCell(parts, one),
  );
}

/** Draws lines from the framed patch of the image to the same patch drawn large. */
function drawMagnifierLines(
  { numbers, cls, row, patch, scene }: Parts,
  [x, y, size]: Square,
  [left, top, side]: Square,
): void {
  if (row < cls) return;
  const perLine = numbers.size / numbers.patch;
  const patchSide = size / perLine;
  const edge = x + ((patch % perLine) + 1) * patchSide;
  const upper = y + Math.floor(patch / perLine) * patchSide;
  const corner = (n: number, from: number, to: number): void => {
    const points: [number, number][] = [
      [edge + 3, from],
      [left - 5, to],
    ];
    scene.curves.push({
      id: `magnified-${n}`,
      points,
      role: "activation",
      kind: "dashed",
      over: true,
      step: 0,
    });
  };
  corner(0, upper, top);
  corner(1, upper + patchSide, top + side);
}

/** Draws the image faded: the larger the attention weight of a patch, the clearer the patch. */
function drawAttendedImage(parts: Parts, x: number, y: number, size: number): void {
  const { numbers, cls, row, patch, other, words, of } = parts;
  const { step, columns } = of("weights");
  const names = rowNames(numbers, words);
  const frames: { patch: number; role: Role | "ink" }[] = row < cls ? [] : [{ patch, role: "query" }];
  const looks = words("labs.vit.looks", { patch: names[row] ?? "" });
  const isFramed = other >= cls && other !== row;
  if (isFramed) frames.push({ patch: other - cls, role: "ink" });
  const both = isFramed ? `${looks} · ${names[other]}` : looks;
  const isShort = textWidth(`${both} ${columns}`) < size;
  addCaption(parts, [x, y - 12, size], isShort ? both : looks, String(columns), step);
  const veil = { node: "weights", at: [row, null], skip: cls };
  addImage(parts, [x, y, size], { id: "veiled", frames, step, veil }, (one) => ({
    node: "weights",
    index: [row, one + cls],
  }));
}

/** Draws one patch large, and its numbers in a row each for red, green and blue. Returns the lower edge. */
function drawPatch(parts: Parts, x: number, y: number, size: number): number {
  const { numbers, patch, scene, words, of } = parts;
  const side = numbers.patch;
  addCaption(parts, [x, y - 12, size], words("labs.vit.patch", { n: patch }), `3×${side}×${side}`, 0);
  const cells = [pixelOf(numbers, patch)];
  addImage(parts, [x, y, size], { id: "patch", only: patch, cells, step: 0 }, () => cells[0]!);
  const top = y + size + 36;
  const bands = { ...of("bands"), at: [patch, null, null] };
  addCaption(parts, [x, top - 10, size], words("labs.vit.flattened"), `${3 * bands.columns} P·P·C`, 1);
  place(scene, bands, x, top, size / bands.columns, BAND, { rowNames: ["R", "G", "B"] });
  return top + 3 * BAND + 8;
}

/** Draws one patch in detail, with its row and the row of the patch that it attends to. Returns the lower edge. */
function drawPatchWithRows(parts: Parts, x: number, y: number, size: number): number {
  const { numbers, row, other, scene, of } = parts;
  const top = drawPatch(parts, x, y, size);
  // The two rows whose dot product a score is, one under the other.
  const query = stripOf(of(sequenceNode(numbers)), [row, null]);
  const key = stripOf(of("K_T"), [null, other]);
  const cell = Math.min(33, size / query.columns);
  place(scene, query, x, top, cell, THIN, { id: "row" });
  place(scene, key, x, top + THIN + 8, cell, THIN, { id: "K_T-column" });
  addRowName(parts, x - 10, top + 10, "q", query.step, "query");
  addRowName(parts, x - 10, top + THIN + 18, "k", key.step, "key");
  return top + 2 * THIN + 14;
}

/** Draws the patches in reading order, small, over the columns of their rows. */
function drawPatchesInLine(
  parts: Parts,
  [left, top, cell, size]: readonly [number, number, number, number],
  inset: number,
  cellOf: (patch: number) => Cell,
  role?: Role,
): void {
  const { numbers, cls, row } = parts;
  if (cls) addRowName(parts, left - 8, top + size / 2 + 4, "CLS", 1, role);
  for (let n = 0; n < patchCount(numbers); n += 1) {
    const x = left + (n + cls) * cell + inset;
    const frames: PlacedImage["frames"] = n + cls === row ? [{ patch: n, role: "query" }] : [];
    addImage(
      parts,
      [x, top, size],
      { id: `word-${n}`, only: n, cells: [cellOf(n)], frames, step: 1 },
      cellOf,
    );
  }
}

/** The side of a patch in the line of patches; 0 if there are too many to draw. */
function patchSideInLine({ numbers, inner }: Parts): number {
  const cell = Math.min(WIDEST, (inner - NAMES) / rowCount(numbers));
  return patchCount(numbers) <= SMALL_IMAGES ? Math.min(28, cell - 2) : 0;
}

/** The title of the line of patches. A phone has no room for the long one beside the shape. */
function sequenceTitle({ numbers, cls, room, words, strings }: Parts): string {
  const n = patchCount(numbers);
  if (cls && room.layout === "narrow") return strings("line", { n });
  return words(cls ? "labs.vit.sentence.cls" : "labs.vit.sentence", { n });
}

/** Draws the line of patches in reading order, and how much the detailed row attends to each. Returns the lower edge. */
function drawSequence(parts: Parts, y: number): number {
  const { numbers, cls, row, scene, of, words, inner } = parts;
  const sequence = of(sequenceNode(numbers));
  const total = sequence.rows;
  addCaption(parts, [LEFT, y, inner], sequenceTitle(parts), `${total}×${sequence.columns}`, 1);
  const cell = Math.min(WIDEST, (inner - NAMES) / total);
  const left = LEFT + NAMES;
  let top = y + 10;
  const size = patchSideInLine(parts);
  if (size > 0) {
    const cellOf = (n: number): Cell => ({ node: "weights", index: [row, n + cls] });
    drawPatchesInLine(parts, [left, top, cell, size], 1, cellOf, "weight");
    top += size + 8;
  }
  for (const name of ["scores", "scaled", "weights"] as const) {
    if (name === "weights") top = drawSkyline(parts, left, top + 2, cell, total);
    const block = stripOf(of(name), [row, null]);
    place(scene, block, left, top, cell, ROW, { id: `${name}-row` });
    const text = name === "scaled" ? "÷√d" : words(`labs.vit.single.${name}`);
    addRowName(parts, left - 10, top + 12, text, block.step);
    top += ROW + 6;
  }
  return top;
}

/** Draws the weights of the detailed row as heights; the largest has the full height. Returns the lower edge. */
function drawSkyline(parts: Parts, x: number, top: number, cell: number, total: number): number {
  const { row, scene, snapshots, of } = parts;
  const base = top + SKYLINE;
  const weights = snapshots.get("weights")?.data.subarray(row * total, (row + 1) * total);
  const largest = weights ? Math.max(...weights) : 0;
  if (!weights || weights.length !== total || !(largest > 0)) return base + 6;
  const points: [number, number][] = [[x, base]];
  weights.forEach((weight, place) => {
    const y = base - (SKYLINE * weight) / largest;
    points.push([x + place * cell, y], [x + (place + 1) * cell, y]);
  });
  points.push([x + total * cell, base]);
  const { step } = of("weights");
  scene.curves.push({ id: "skyline", points, role: "attention", kind: "line", step });
  addRowName(parts, x - 10, top + 9, formatNote(largest), step);
  return base + 6;
}

/** Adds the legends, a given number on a line; returns their lower edge. */
function drawLegends(
  { scene, words, strings, inner }: Parts,
  y: number,
  perLine: number,
  width = inner,
): number {
  const texts = {
    pixels: words("labs.legend.pixels"),
    scores: words("labs.legend.vit.scores"),
    scaled: words("labs.legend.vit.scaled"),
    weights: words("labs.legend.vit.weights"),
    looks: strings("legend.looks"),
    rolled: strings("legend.rolled"),
  };
  const shown = Object.entries(texts).filter(([family]) =>
    scene.tensors.some((one) => one.family === family),
  );
  const each = Math.floor(width / perLine);
  shown.forEach(([family, text], at) => {
    const { fill } = scene.tensors.find((one) => one.family === family)!;
    const air = family === "looks" || family === "rolled" ? 8 : 6;
    const [x, top] = [LEFT + (at % perLine) * each, y + Math.floor(at / perLine) * LEGEND];
    legend(scene, family, fill, x, top, each - air, text);
  });
  return y + Math.ceil(shown.length / perLine) * LEGEND + 6;
}

/** Draws the image, one of its patches and what the patch attends to; the note is in the gap before the faded image, if there is a gap. */
function drawAttention(parts: Parts): void {
  const { scene, room, inner } = parts;
  const two = room.layout === "two";
  const high = room.height - TOP - 176 - SKYLINE - patchSideInLine(parts);
  const size = two
    ? Math.min(360, Math.floor((inner - 44) / 3))
    : Math.max(200, Math.min(360, high, Math.floor((room.width - 590) / 2.1)));
  const side = two ? size : Math.min(264, size - 97);
  const middle = LEFT + size + (two ? 22 : 44);
  const last = two ? middle + size + 22 : room.width - size - LEFT;
  drawWholeImage(parts, LEFT, TOP, size);
  const end = drawPatchWithRows(parts, middle, TOP, side);
  if (!two) drawMagnifierLines(parts, [LEFT, TOP, size], [middle, TOP, side]);
  drawAttendedImage(parts, last, TOP, size);
  const note = middle + side + 28;
  scene.note = last - 24 - note >= 136 ? { x: note, y: TOP, width: last - 24 - note } : null;
  const y = drawSequence(parts, two ? Math.max(TOP + size, end) + 34 : TOP + size + 40);
  scene.height = drawLegends(parts, y + 6, two ? 2 : 4);
}

/** The place of the note right of the drawing; null if there is no room. */
const noteAt = (room: Room, x: number, y: number, most = 480): Scene["note"] =>
  room.width - x - 8 >= 240 ? { x, y, width: Math.min(most, room.width - x - 8) } : null;

/** Draws the image and one of its patches in detail. */
function drawCut(parts: Parts): void {
  const { room, scene, inner } = parts;
  const size = Math.min(360, Math.floor((inner - 60) / 2), Math.max(220, room.height - TOP - 60));
  drawWholeImage(parts, LEFT, TOP, size);
  const middle = LEFT + size + 56;
  const side = Math.min(264, size - 90);
  const end = drawPatch(parts, middle, TOP, side);
  drawMagnifierLines(parts, [LEFT, TOP, size], [middle, TOP, side]);
  scene.note = noteAt(room, middle + side + 40, TOP);
  scene.height = drawLegends(parts, Math.max(end, TOP + size) + 14, 2, Math.min(inner, 640));
}

interface AttentionMap {
  node: "cls_weights" | "cls_rollout";
  /** An index on each axis but the last. */
  at: number[];
  text: string;
}

/** The attention maps of CLS: one for each head, and last the rollout. */
function mapsOf({ numbers, strings }: Parts): AttentionMap[] {
  const { heads, layers: n } = encoderOf(numbers);
  const text = strings(n === 1 ? "heading.rollout.one" : "heading.rollout.many", { n });
  const ofHead = (head: number): AttentionMap => ({
    node: "cls_weights",
    at: [head, 0],
    text: strings("head", { n: head }),
  });
  return [
    ...Array.from({ length: heads }, (_, head) => ofHead(head)),
    { node: "cls_rollout", at: [0], text },
  ];
}

/** The gaps between attention maps, horizontal and vertical. */
const BESIDE = 14;
const UNDER = 28;
const LOOK_ROW = { height: 17, gap: 5, names: 62 };

/** Draws an attention map over the image: the larger the weight of a patch, the stronger the colour on it. */
function drawMap(parts: Parts, { node, at, text }: AttentionMap, [x, y, size]: Square): void {
  const { cls: skip, strings, snapshots, of, row, other, opened } = parts;
  const { columns, step } = of(node);
  const from = node === "cls_weights" ? at[0]! * columns : 0;
  const weights = snapshots.get(node)?.data.subarray(from + skip, from + columns);
  const largest = weights?.length ? Math.max(...weights) : 0;
  const scale = strings("scale", { most: formatNote(largest) });
  addCaption(
    parts,
    [x, y - 9, size],
    text,
    textWidth(text) + textWidth(scale, 12) + 8 <= size ? scale : "",
    step,
  );
  const isOpened = node === "cls_weights" ? opened === 1 && at[0] === other : opened === 2;
  const frames: PlacedImage["frames"] = isOpened && row > 0 ? [{ patch: row - 1, role: "ink" }] : [];
  const veil: PlacedImage["veil"] = { node, at: [...at, null], skip, tint: "attention" };
  const cellOf = (n: number): Cell => ({ node, index: [...at, n + skip] });
  addImage(parts, [x, y, size], { id: `${node}-${at.join("-")}`, frames, step, veil }, cellOf);
}

/** Draws attention maps in columns, each as large as the first. */
function drawMapGrid(
  parts: Parts,
  maps: readonly AttentionMap[],
  columns: number,
  [x, y, side]: Square,
): void {
  maps.forEach((map, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    drawMap(parts, map, [x + column * (side + BESIDE), y + row * (side + UNDER), side]);
  });
}

/** Draws the maps of the heads in rows with a total height of `size`; returns their right edge. */
function drawMapsOfHeads(parts: Parts, maps: readonly AttentionMap[], [x, y, size]: Square): number {
  const rows = maps.length === 1 ? 1 : maps.length <= 4 ? 2 : 3;
  const columns = Math.ceil(maps.length / rows);
  const side = (size - (rows - 1) * UNDER) / rows;
  drawMapGrid(parts, maps, columns, [x, y, side]);
  return x + columns * (side + BESIDE) - BESIDE;
}

/** Draws the rows of attention weights under the line of patches, and their legends. */
function drawMapRows(parts: Parts, maps: readonly AttentionMap[], y: number): number {
  const { numbers, scene, of, strings, inner } = parts;
  const n = patchCount(numbers);
  const { columns } = of(maps[0]!.node);
  const cell = Math.min(WIDEST, (inner - LOOK_ROW.names) / columns);
  const left = LEFT + LOOK_ROW.names;
  addCaption(parts, [LEFT, y, inner], sequenceTitle(parts), String(columns), 1);
  let top = y + 10;
  if (n <= SMALL_IMAGES) {
    const size = Math.max(3, Math.min(28, cell - 2));
    drawPatchesInLine(parts, [left, top, cell, size], (cell - size) / 2, (one) => pixelOf(numbers, one));
    top += size + 7;
  }
  for (const { node, at, text } of maps) {
    const block = { ...of(node), at: [...at, null] };
    place(scene, block, left, top, cell, LOOK_ROW.height, { id: `${node}-row-${at[0]!}` });
    addRowName(
      parts,
      left - 10,
      top + 12,
      node === "cls_rollout" ? strings("stop.rollout") : text,
      block.step,
    );
    top += LOOK_ROW.height + LOOK_ROW.gap;
  }
  const kinds = new Set(maps.map(({ node }) => node)).size;
  return drawLegends(parts, top + 6, inner >= 600 ? kinds : 1);
}

/** Draws the image, the maps of the heads and the rollout, side by side if there is room, and under them the same weights as rows. */
function drawMaps(parts: Parts): void {
  const { room, scene, inner } = parts;
  const all = mapsOf(parts);
  const [ofHeads, rolled] = [all.slice(0, -1), all.at(-1)!];
  const two = room.layout === "two";
  const size = two
    ? Math.min(340, Math.floor((inner - 40) / 2))
    : Math.max(190, Math.min(300, room.height - TOP - (all.length * 22 + 130)));
  drawWholeImage(parts, LEFT, TOP, size);
  const second = TOP + size + 44;
  if (two) drawMap(parts, rolled, [LEFT + size + 40, TOP, size]);
  const right = drawMapsOfHeads(parts, ofHeads, two ? [LEFT, second, size] : [LEFT + size + 36, TOP, size]);
  const last = right + 36;
  if (!two) drawMap(parts, rolled, [last, TOP, size]);
  scene.note = two ? noteAt(room, right + 28, second, Infinity) : noteAt(room, last + size + 28, 8);
  scene.height = drawMapRows(parts, all, two ? second + size + 30 : TOP + size + 32);
}

/** Draws a stop on a phone: one picture over the width of the screen, and its rows or numbers under it. */
function drawPhoneStop(parts: Parts, stop: string): void {
  const { scene, inner: size } = parts;
  const below = TOP + size;
  if (stop === "cut") {
    drawWholeImage(parts, LEFT, TOP, size);
    scene.height = below + 12;
  } else if (stop === "flatten") {
    const draw = hasEncoder(parts.numbers) ? drawPatch : drawPatchWithRows;
    scene.height = drawLegends(parts, draw(parts, 30, TOP, Math.min(264, size - 30)) + 8, 1);
  } else if (stop === "attend") {
    drawAttendedImage(parts, LEFT, TOP, size);
    scene.height = drawLegends(parts, drawSequence(parts, below + 30) + 6, 1);
  } else {
    const all = mapsOf(parts).filter(({ node }) => (node === "cls_rollout") === (stop === "rollout"));
    const columns = all.length > 4 ? 3 : all.length > 1 ? 2 : 1;
    const side = (size - (columns - 1) * BESIDE) / columns;
    drawMapGrid(parts, all, columns, [LEFT, TOP, side]);
    scene.height = drawMapRows(
      parts,
      all,
      TOP + Math.ceil(all.length / columns) * (side + UNDER) + (stop === "rollout" ? 0 : 4),
    );
  }
}

/** The left part of the answer on a wide screen; the sizes of a column of numbers and of its gap; heights of a row, of the row of CLS, of what stands below, and of the note; the largest share of the width that the names of classes take. */
const ANSWER = {
  left: 352,
  column: 52,
  gap: 22,
  narrow: { column: 34, gap: 14 },
  row: 24,
  cls: 18,
  foot: 124,
  note: 210,
  names: 0.2,
};

/** A name of at most this width, with its end left out if it is longer. The note has all of it. */
function shortened(name: string, width: number): string {
  const letters = Array.from(name);
  while (letters.length > 1 && textWidth(`${letters.join("")}…`) > width) letters.pop();
  return textWidth(name) <= width ? name : `${letters.join("").trimEnd()}…`;
}

/** Draws the row of CLS over the rows of weights that it meets, with the left edge of their cells at x; returns their lower edge. */
function drawClassWeights({ scene, of }: Parts, x: number, y: number, cell: number, height: number): number {
  place(scene, turned(of("cls")), x, y, cell, ANSWER.cls, { id: "cls", caption: "above" });
  const top = y + ANSWER.cls + 20;
  const weights = of("head.weight");
  place(scene, weights, x, top, cell, height, { caption: "below" });
  return top + weights.rows * height;
}

/**
 * Draws what CLS says of each class, a row for each: its row of weights under the row of CLS, their dot product, the bias, their sum, and the
 * probability with the name of the class; beside or above them the image and what CLS looks at.
 */
function drawAnswer(parts: Parts): void {
  const { numbers, room, inner, scene, words, strings, snapshots, of } = parts;
  const { classes = [] } = numbers;
  const [isWide, isNarrow] = [room.layout === "wide", room.layout === "narrow"];
  const side = Math.min(164, Math.floor(((isWide ? ANSWER.left : inner) - 24) / 2));
  drawWholeImage(parts, LEFT, TOP, side);
  drawMap(parts, mapsOf(parts).at(-1)!, [LEFT + side + 24, TOP, side]);
  const under = TOP + side + 24;
  if (isWide) scene.note = { x: LEFT, y: under, width: ANSWER.left };
  else if (!isNarrow) scene.note = noteAt(room, LEFT + 2 * side + 52, TOP);
  const { column, gap } = isNarrow ? ANSWER.narrow : ANSWER;
  const columns = ["products", "head.bias", "logits", "probabilities"];
  const x = isWide ? LEFT + ANSWER.left + 40 : LEFT + 8;
  const y = isWide ? 8 + CAPTION_ABOVE : under + 8 + (isNarrow ? 0 : CAPTION_ABOVE);
  const top = isNarrow ? y : y + ANSWER.cls + 20;
  const row = isNarrow ? 18 : (room.height - top - ANSWER.foot) / classes.length;
  const height = Math.max(14, Math.min(ANSWER.row, row));
  const beforeNames = columns.length * (column + gap);
  const most = isNarrow ? room.width - x - beforeNames - 2 : ANSWER.names * room.width;
  const names = classes.map((name) => shortened(name, most));
  const beside = beforeNames + 12 + Math.max(...names.map((name) => textWidth(name)));
  // A phone has no room for the weights beside their products.
  const across = room.width - x - 8 - (isNarrow ? 0 : beside);
  const cell = Math.min(18, across / numbers.dim);
  let left = x;
  if (!isNarrow) {
    drawClassWeights(parts, x, y, cell, height);
    left += numbers.dim * cell + gap;
  }
  for (const node of columns) {
    place(scene, of(node), left, top, column, height, { caption: "below", captionWidth: column + gap - 6 });
    left += column + gap;
  }
  const { step } = of("probabilities");
  const largest = answerOf(snapshots);
  names.forEach((text, at) => {
    const role: { role?: Role } = at === largest ? { role: "attention" } : {};
    scene.labels.push({
      x: left - gap + 14,
      y: top + (at + 0.5) * height + 4,
      text,
      kind: "axis",
      ...role,
      step,
    });
  });
  let end = top + classes.length * height + CAPTION_BELOW;
  if (isNarrow) end = drawClassWeights(parts, x, end + CAPTION_ABOVE, cell, height) + CAPTION_BELOW;
  const texts: Record<string, string> = {
    path: strings("legend.row"),
    parameters: words("labs.legend.vit.parameters"),
    logits: strings("legend.logits"),
    probabilities: strings("legend.probabilities"),
  };
  const families = new Map(
    ["head.weight", "cls", "products", "probabilities"].map(of).map(({ family, fill }) => [family, fill]),
  );
  const foot = { x, y: end + 8, width: room.width - x - 8 };
  const perLine = isWide ? 4 : isNarrow ? 1 : 2;
  const low = legends(scene, families, foot, perLine, (family) => texts[family] ?? "", 8) + 6;
  scene.height = isWide ? Math.max(low, under + ANSWER.note) : low;
}

/** The scene of a product: the patches times their projection, plus its bias; or the weights times the rows. */
function productScene({ numbers, cls, room, words, of }: Parts, id: "project" | "mix"): Scene {
  const names = rowNames(numbers, words);
  const legendOf = (family: string) => words(`labs.legend.vit.${family}` as Key);
  if (id === "mix") {
    const [left, above, result] = [of("weights"), of(sequenceNode(numbers)), of("output")];
    return crossingScene(room, { left, above, result, rowNames: names, legendOf });
  }
  const [left, above, result] = [of("patches"), of("W_E"), of("projected")];
  const after = { then: [of("tokens")], over: of("b_E") };
  return crossingScene(room, { left, above, result, ...after, rowNames: names.slice(cls), legendOf });
}

const KERNEL = { side: 56, gap: 10, room: 118 };

/** Draws the column of W_E that computes the target as the kernel of a convolution, right of the note if there is room. */
function drawKernel(scene: Scene, { words, snapshots, of, opened: column = 0 }: Parts): void {
  const { note } = scene;
  const projection = scene.tensors.find(({ node }) => node === "W_E");
  if (!note || !projection || !snapshots.has("kernels")) return;
  const left = note.x + note.width + 28;
  if (projection.x - left < KERNEL.room) return;
  const { step } = projection;
  scene.labels.push({
    x: left - 6,
    y: 22,
    text: words("labs.vit.kernel", { n: column }),
    kind: "caption",
    step,
  });
  (["red", "green", "blue"] as const).forEach((name, channel) => {
    const block = { ...of("kernels"), at: [column, channel, null, null] };
    const y = 32 + channel * (KERNEL.side + KERNEL.gap);
    const cell = KERNEL.side / block.columns;
    place(scene, block, left, y, cell, cell, { id: `kernel-${channel}` });
    scene.labels.push({
      x: left + KERNEL.side + 14,
      y: y + KERNEL.side / 2 + 4,
      text: words(`labs.vit.${name}`),
      kind: "axis",
      step,
    });
  });
}

/** The width of the note right of the sum. */
const NOTE = 380;

/** Draws a sum of three matrices with the same rows: CLS and the tokens, plus the positions, are the sequence. */
function drawSum({ numbers, room, words, scene, of }: Parts): void {
  const names = rowNames(numbers, words);
  const gap = 40;
  const left = Math.max(64, labelWidth(names));
  const { columns } = of("sequence");
  const stacked = room.layout === "narrow";
  // On a wide screen the note stands at the right.
  const beside = (stacked ? 0 : 2 * gap) + (room.layout === "wide" ? NOTE : 0);
  const cell = Math.min(36, (room.width - left - 12 - beside) / (stacked ? columns : 3 * columns));
  const height = Math.min(26, Math.max(2, (room.height - (stacked ? 130 : 188)) / names.length));
  let x = left;
  let y = stacked ? 16 : 62;
  // The class token is the first row of what is joined.
  if (!stacked) place(scene, of("CLS"), left, 16, cell, 18, { id: "CLS", rowNames: ["CLS"] });
  ["joined", positionNode(numbers), "sequence"].forEach((node, index) => {
    const block = of(node);
    const rowLabels = index === 0 || stacked ? { rowNames: names } : {};
    place(scene, block, x, y, cell, height, { caption: "below", ...rowLabels });
    if (stacked) y += names.length * height + 70;
    else {
      x += columns * cell + gap;
      if (index < 2)
        scene.labels.push({
          x: x - gap / 2,
          y: y + (names.length * height) / 2,
          text: index === 0 ? "+" : "=",
          kind: "heading",
          anchor: "middle",
          step: block.step,
        });
    }
  });
  const end = stacked ? y : y + names.length * height + 60;
  const width = Math.min(420, room.width - left - 8);
  legend(scene, "vectors", "activation", left, end, width, words("labs.legend.vit.vectors"));
  legend(scene, "parameters", "parameter", left, end + LEGEND, width, words("labs.legend.vit.parameters"));
  if (!stacked && room.width - x >= 280)
    scene.note = { x: x + 8, y: 8, width: Math.min(480, room.width - x - 16) };
  scene.width = Math.max(room.width, stacked ? left + columns * cell + 12 : x);
  scene.height = end + 2 * LEGEND + 6;
}

/** The gap between the first two maps of positions, for the arrow and its caption. */
const ARROW = 84;

/**
 * Draws three maps: one number of every original position, the same number of every interpolated position, and the weights
 * of one patch over the original positions. Under them are all numbers of the original positions.
 */
function drawResizedPositions(parts: Parts): void {
  const { numbers, room, scene, words, strings, of, patch, inner } = parts;
  const column = Math.min(parts.opened ?? 0, numbers.dim - 1);
  const [small, large] = [positionSide(numbers), numbers.size / numbers.patch];
  const narrow = room.layout === "narrow";
  const side = narrow
    ? Math.floor((inner - 24) / 2)
    : Math.min(200, Math.floor((inner - ARROW - 56) / (room.layout === "two" ? 3 : 3.6)));
  const { step } = of("stretched");
  const map = (node: string, [x, y, size]: Square, at: (number | null)[], text: string): void => {
    const block = of(node);
    const cell = size / block.columns;
    addCaption(parts, [x, y - 12, size], text, "", step);
    place(scene, { ...block, at }, x, y, cell, cell, { id: `${node}-map` });
  };
  const name = rowNames(numbers, words)[patch + 1] ?? "";
  const weightsAt = [Math.floor(patch / large), patch % large, null, null];
  const size = narrow ? inner : side;
  const second: Square = narrow ? [LEFT, TOP + side + 40, size] : [LEFT + side + ARROW, TOP, side];
  const third: Square = narrow ? [LEFT + side + 24, TOP, side] : [second[0] + side + 56, TOP, side];
  map("position_grid", [LEFT, TOP, side], [null, null, column], strings("map.small", { n: small }));
  map("stretched", second, [null, null, column], strings("map.large", { n: large }));
  map("interpolation", third, weightsAt, strings("map.weights", { patch: name }));
  if (!narrow) {
    const middle = { x: LEFT + side + ARROW / 2, anchor: "middle", step } as const;
    const { interpolation } = positionsOf(numbers);
    scene.labels.push({
      ...middle,
      y: TOP + side / 2 - 6,
      text: strings(`arrow.${interpolation}`),
      kind: "axis",
    });
    scene.labels.push({ ...middle, y: TOP + side / 2 + 14, text: "→", kind: "heading" });
  }
  const low = second[1] + second[2] + 42;
  const position = of("position");
  const columnWidth = Math.min(18, (narrow ? inner : 2 * side + ARROW) / position.columns);
  const height = Math.max(2, Math.min(14, 200 / position.rows));
  addCaption(parts, [LEFT, low - 12, inner], strings("map.all", { n: column }), "", step);
  place(scene, position, LEFT, low, columnWidth, height);
  const end = low + position.rows * height + 30;
  const width = narrow ? inner : Math.min(420, inner / 2 - 12);
  const beside = narrow ? [LEFT, end + LEGEND] : [LEFT + width + 24, end];
  legend(scene, "parameters", "parameter", LEFT, end, width, words("labs.legend.vit.parameters"));
  legend(
    scene,
    "interpolation",
    "activation",
    beside[0]!,
    beside[1]!,
    width,
    strings("legend.interpolation"),
  );
  if (!narrow) scene.note = noteAt(room, third[0] + side + 32, TOP);
  scene.height = beside[1]! + LEGEND + 6;
}

/** Draws the picture of the arrangement; null if the arrangement is drawn as lines. */
export function picture(
  { numbers }: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene | null {
  const { words, width } = room;
  const { id, memory } = readArrangement(room);
  const [kind, stop] = id.split("-");
  const [row = 0, other = 0, opened] = memory;
  const cls = clsCount(numbers);
  const patch = Math.max(0, row - cls);
  const at = { row, patch, other, opened, cls, inner: width - 2 * LEFT };
  let scene = emptyScene(width);
  const parts: Parts = { numbers, room, words, strings: stringsIn(words), snapshots, of, scene, ...at };
  if (kind === "project" || kind === "mix") scene = productScene(parts, kind);
  else if (kind === "answer") drawAnswer(parts);
  else if (kind === "stretch") drawResizedPositions(parts);
  else if (kind === "place") drawSum(parts);
  else if (kind !== "image" && kind !== "cut" && kind !== "look") return null;
  else if (stop !== undefined) drawPhoneStop(parts, stop);
  else ({ image: drawAttention, cut: drawCut, look: drawMaps })[kind](parts);
  if (kind === "project") drawKernel(scene, parts);
  if (room.layout === "narrow") scene.stop = stopAt(numbers, id);
  return scene;
}
