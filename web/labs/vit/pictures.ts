/** The pictures of the ViT lab: the image under its grid and under its veil, one patch, the line of patches. */
import type { ConfigOf } from "../../config/config.js";
import { patchCount } from "../../config/labs/vit.js";
import type { PlacedImage, Role, Room, Scene, Snapshots } from "../../marks/scene.js";
import { formatNote } from "../../marks/numbers.js";
import { LEGEND, legend, place, type Block } from "../../stage/place.js";
import { block, clsCount, rowCount, rowNames, sequenceNode, stepIds, type Focus } from "./blocks.js";

/** Heights of a band of one channel, of a row of the sequence, and of a row of scores. */
const BAND = 16;
const THIN = 12;
const ROW = 18;
/** More patches than this are not drawn one by one in the line of patches. */
const SMALL_IMAGES = 64;

export interface Parts {
  config: ConfigOf<"vit">;
  room: Room;
  focus: Focus;
  /** The row looked at: the target's, else the last one, else a telling one. */
  key: number;
  scene: Scene;
  snapshots: Snapshots;
}

type Cell = PlacedImage["cells"][number];

/** The upper left pixel of a patch, red. */
export function pixelOf({ config }: Parts, n: number): Cell {
  const { size, patch } = config.numbers;
  const perLine = size / patch;
  return { node: "image", index: [0, Math.floor(n / perLine) * patch, (n % perLine) * patch] };
}

/** Says over a picture what it is, from the step of Play on that it comes with. */
export function caption(
  { scene }: Parts,
  [x, y, width]: readonly [number, number, number],
  text: string,
  shape: string,
  step: number,
): void {
  scene.labels.push({ x, y, text, kind: "caption", step });
  if (shape) scene.labels.push({ x: x + width, y, text: shape, kind: "shape", anchor: "end", step });
}

/** A cell for each patch. */
export const eachPatch = ({ config }: Parts, cellOf: (patch: number) => Cell): Cell[] =>
  Array.from({ length: patchCount(config.numbers) }, (_, patch) => cellOf(patch));

/** The largest weight of a patch's own row: what it looks at most. */
function mostOf({ config, key, snapshots }: Parts, patch: number): Cell {
  const row = patch + clsCount(config.numbers);
  const total = rowCount(config.numbers);
  const weights = snapshots.get("weights")?.data;
  let most = 0;
  for (let at = 1; weights && at < total; at++)
    if (weights[row * total + at]! > weights[row * total + most]!) most = at;
  return { node: "weights", index: [row, weights ? most : key] };
}

/** The whole image under its grid; a pointed-at patch becomes the one that is unfolded. */
export function whole(parts: Parts, x: number, y: number, size: number, cellOf = mostOf): void {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const cls = clsCount(numbers);
  const shape = `3×${numbers.size}×${numbers.size} C×H×W`;
  caption(parts, [x, y - 12, size], room.words("labs.vit.image"), shape, 0);
  scene.images.push({
    id: "image",
    node: "image",
    x,
    y,
    size,
    patch: numbers.patch,
    step: 0,
    frames: cls && focus.row < cls ? [] : [{ patch: focus.patch, role: "ink" }],
    cells: eachPatch(parts, (patch) => cellOf(parts, patch)),
  });
}

/** From the framed patch of the image to the same patch drawn large. */
export function magnified(
  { config, focus, scene }: Parts,
  [x, y, size]: readonly [number, number, number],
  [left, top, side]: readonly [number, number, number],
): void {
  const { numbers } = config;
  if (focus.row < clsCount(numbers)) return;
  const perLine = numbers.size / numbers.patch;
  const patchSide = size / perLine;
  const edge = x + ((focus.patch % perLine) + 1) * patchSide;
  const upper = y + Math.floor(focus.patch / perLine) * patchSide;
  const corners: [number, number, number][] = [
    [upper, top, 0],
    [upper + patchSide, top + side, 1],
  ];
  for (const [from, to, n] of corners) {
    scene.curves.push({
      id: `magnified-${n}`,
      points: [
        [edge + 3, from],
        [left - 5, to],
      ],
      role: "activation",
      kind: "dashed",
      over: true,
      step: 0,
    });
  }
}

/** The image under a veil: what is clear is what the unfolded row looks at. */
export function veiled(parts: Parts, x: number, y: number, size: number): void {
  const { config, focus, key, scene, room } = parts;
  const { numbers } = config;
  const cls = clsCount(numbers);
  const name = rowNames(numbers, room.words)[focus.row] ?? "";
  const step = stepIds(numbers).indexOf("attend");
  const said = room.words("labs.vit.looks", { patch: name });
  caption(parts, [x, y - 12, size], said, String(rowCount(numbers)), step);
  const frames: { patch: number; role: Role | "ink" }[] =
    focus.row < cls ? [] : [{ patch: focus.patch, role: "query" }];
  if (key >= cls && key !== focus.row) frames.push({ patch: key - cls, role: "ink" });
  scene.images.push({
    id: "veiled",
    node: "image",
    x,
    y,
    size,
    patch: numbers.patch,
    frames,
    step,
    veil: { node: "weights", at: [focus.row, null], skip: cls },
    cells: eachPatch(parts, (patch) => ({ node: "weights", index: [focus.row, patch + cls] })),
  });
}

/** One patch, large, and its numbers, red, green and blue apart. */
export function unfolded(parts: Parts, x: number, y: number, size: number): number {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const side = numbers.patch;
  caption(parts, [x, y - 12, size], words("labs.vit.patch", { n: focus.patch }), `3×${side}×${side}`, 0);
  scene.images.push({
    id: "patch",
    node: "image",
    x,
    y,
    size,
    patch: side,
    only: focus.patch,
    frames: [],
    cells: [pixelOf(parts, focus.patch)],
    step: 0,
  });
  const top = y + size + 36;
  caption(parts, [x, top - 10, size], words("labs.vit.flattened"), `${3 * side * side} P·P·C`, 1);
  const bands = { ...block(config, "bands", words), at: [focus.patch, null, null] };
  place(scene, bands, x, top, size / (side * side), BAND, { rowNames: ["R", "G", "B"] });
  return top + 3 * BAND + 8;
}

/** One patch, unfolded, and the rows of it and of the patch looked at. */
export function patch(parts: Parts, x: number, y: number, size: number): number {
  const { config, focus, key, scene, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const top = unfolded(parts, x, y, size);
  // The two rows whose dot product a score is, one under the other.
  const sequence = sequenceNode(numbers);
  const row = { ...block(config, sequence, words), rows: 1, at: [focus.row, null] };
  const column = { ...block(config, "K_T", words), rows: 1, columns: row.columns, at: [null, key] };
  const cell = Math.min(33, size / row.columns);
  place(scene, row, x, top, cell, THIN, { id: "row" });
  place(scene, column, x, top + THIN + 8, cell, THIN, { id: "K_T-column" });
  const named = { x: x - 10, kind: "axis", anchor: "end" } as const;
  scene.labels.push({ ...named, y: top + 10, text: "q", role: "query", step: row.step });
  scene.labels.push({ ...named, y: top + THIN + 18, text: "k", role: "key", step: column.step });
  return top + 2 * THIN + 14;
}

/** What the rows of the sequence have left of them, and how wide they are at most. */
const NAMES = 52;
const WIDEST = 40;

/** The side of a patch in the line of patches. */
export function wordSide({ config: { numbers } }: Parts, width: number): number {
  const cell = Math.min(WIDEST, (width - NAMES) / rowCount(numbers));
  return patchCount(numbers) <= SMALL_IMAGES ? Math.min(28, cell - 2) : 0;
}

/** Every row of the sequence in reading order: the patches themselves, and how much the unfolded row looks at each. */
export function line(parts: Parts, x: number, y: number, width: number): number {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const cls = clsCount(numbers);
  const count = patchCount(numbers);
  const total = rowCount(numbers);
  const sequence = sequenceNode(numbers);
  const title = words(cls ? "labs.vit.sentence.cls" : "labs.vit.sentence", { n: count });
  caption(parts, [x, y, width], title, `${total}×${block(config, sequence, words).columns}`, 1);
  const label = NAMES;
  const cell = Math.min(WIDEST, (width - label) / total);
  const left = x + label;
  let top = y + 10;
  const size = wordSide(parts, width);
  if (size > 0) {
    if (cls)
      scene.labels.push({
        x: x + label - 8,
        y: top + size / 2 + 4,
        text: "CLS",
        kind: "axis",
        anchor: "end",
        role: "weight",
        step: 1,
      });
    for (let n = 0; n < count; n += 1) {
      scene.images.push({
        id: `word-${n}`,
        node: "image",
        x: left + (n + cls) * cell + 1,
        y: top,
        size,
        patch: numbers.patch,
        only: n,
        frames: [],
        cells: [{ node: "weights", index: [focus.row, n + cls] }],
        step: 1,
      });
    }
    top += size + 8;
  }
  for (const name of ["scores", "scaled", "weights"] as const) {
    if (name === "weights") top = skyline(parts, left, top + 2, cell, total);
    const row: Block = { ...block(config, name, words), rows: 1, columns: total, at: [focus.row, null] };
    place(scene, row, left, top, cell, ROW, { id: `${name}-row` });
    scene.labels.push({
      x: x + label - 10,
      y: top + 12,
      text: name === "scaled" ? "÷√d" : words(`labs.vit.single.${name}`),
      kind: "axis",
      anchor: "end",
      step: row.step,
    });
    top += ROW + 6;
  }
  return top;
}

/** Height of the largest weight. */
export const SKYLINE = 20;

/** The weights of the unfolded row as heights, the largest full. */
function skyline(
  { config, focus, scene, snapshots }: Parts,
  x: number,
  top: number,
  cell: number,
  total: number,
): number {
  const base = top + SKYLINE;
  const weights = snapshots.get("weights")?.data.subarray(focus.row * total, (focus.row + 1) * total);
  const largest = weights ? Math.max(...weights) : 0;
  if (!weights || weights.length !== total || !(largest > 0)) return base + 6;
  const points: [number, number][] = [[x, base]];
  weights.forEach((weight, place) => {
    const y = base - (SKYLINE * weight) / largest;
    points.push([x + place * cell, y], [x + (place + 1) * cell, y]);
  });
  points.push([x + total * cell, base]);
  const step = stepIds(config.numbers).indexOf("attend");
  scene.curves.push({ id: "skyline", points, role: "attention", kind: "line", step });
  scene.labels.push({ x: x - 10, y: top + 9, text: formatNote(largest), kind: "axis", anchor: "end", step });
  return base + 6;
}

const LEGENDS = ["pixels", "scores", "scaled", "weights"] as const;

export function legends(parts: Parts, x: number, y: number, width: number, perLine: number): number {
  const { scene, room } = parts;
  const shown = LEGENDS.filter((family) => scene.tensors.some((tensor) => tensor.family === family));
  const each = Math.floor(width / perLine);
  shown.forEach((family, index) => {
    const fill = family === "weights" ? "probability" : "activation";
    const text = room.words(family === "pixels" ? "labs.legend.pixels" : `labs.legend.vit.${family}`);
    const top = y + Math.floor(index / perLine) * LEGEND;
    legend(scene, family, fill, x + (index % perLine) * each, top, each - 6, text);
  });
  return y + Math.ceil(shown.length / perLine) * LEGEND + 6;
}
